package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.row.Kind;

/** Passes each value once a group; NULLs are left out, no aggregate counts them. */
final class DistinctAccumulator extends Accumulator {
  private static final ColumnType GROUP = ColumnType.of(Kind.INTEGER);

  private final Accumulator inner;
  private final Expression argument;
  private final ColumnType type;
  private final KeyBuffer key = new KeyBuffer();

  /** Made when it is first wanted. */
  private BytesHashTable seen;

  DistinctAccumulator(Accumulator inner, Expression argument) {
    this.inner = inner;
    this.argument = argument;
    this.type = argument.type().orNull();
  }

  @Override
  void ensure(int groups) {
    inner.ensure(groups);
  }

  @Override
  long groupBytes() {
    return inner.groupBytes();
  }

  @Override
  void clear() {
    if (seen != null) {
      seen.release();
    }
    inner.clear();
  }

  @Override
  void add(int group, Frame frame) {
    if (seen == null) {
      seen = new BytesHashTable(frame.limits().newAccount("a DISTINCT aggregate"));
    }
    key.clear();
    KeyEncoder.appendLong(key, GROUP, false, group);
    boolean isNull = NormalizedKeyCodec.append(argument, type, false, frame, key);
    if (!isNull && seen.add(key.bytes, 0, key.length)) {
      inner.add(group, frame);
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    inner.emit(group, frame, slot);
  }
}
