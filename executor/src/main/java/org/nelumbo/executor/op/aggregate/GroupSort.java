package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.basic.SortKey;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.row.KeyBuffer;

/** Encodes the WITHIN GROUP order in which an aggregate function takes the rows of a group. */
final class GroupSort {
  /** Replaces the NULL marker in order to sort NULLs after all values. */
  private static final byte NULLS_LAST = 2;

  private final List<SortKey> keys;
  private final KeyBuffer buffer = new KeyBuffer();

  GroupSort(List<SortKey> keys) {
    this.keys = keys;
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Returns the normalized sort key of the frame's current row. */
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
