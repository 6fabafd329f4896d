package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.basic.SortKey;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.row.KeyBuffer;

/** The order in which an aggregate function takes the rows of a group: WITHIN GROUP. */
final class GroupSort {
  /** In place of the byte that says that a value is NULL: behind all others. */
  private static final byte NULLS_LAST = 2;

  private final List<SortKey> keys;
  private final KeyBuffer buffer = new KeyBuffer();

  GroupSort(List<SortKey> keys) {
    this.keys = keys;
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** What the frame's row is sorted by, as bytes. */
  byte[] of(Frame frame) {
    buffer.clear();
    for (SortKey each : keys) {
      boolean descending = each.descending();
      boolean isNull =
          NormalizedKeyCodec.append(
              each.expression(), each.expression().type().orNull(), descending, frame, buffer);
      if (isNull && each.nullsFirst() == descending) {
        buffer.bytes[buffer.length - 1] = descending ? ~NULLS_LAST : NULLS_LAST;
      }
    }
    return Arrays.copyOf(buffer.bytes, buffer.length);
  }
}
