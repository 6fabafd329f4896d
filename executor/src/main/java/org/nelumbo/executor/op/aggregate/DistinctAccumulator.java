package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.spill.SpilledRows;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * DISTINCT: passes each value of a group once to another accumulator. NULLs are omitted, since no
 * aggregate counts them.
 *
 * <p>If there is no memory for more values, and spilling is permitted, rows with new values are
 * written to temporary files and processed after the others.
 */
final class DistinctAccumulator extends Accumulator {
  private static final String NAME = "a DISTINCT aggregate";
  private static final ColumnType GROUP = ColumnType.of(Kind.INTEGER);

  private final Accumulator inner;
  private final Expression argument;
  private final ColumnType type;
  private final KeyBuffer key = new KeyBuffer();

  /** Fields of a row; null if rows must not be spilled. */
  private FrameFields input;

  private BytesHashTable seen;

  private SpilledRows spilled;

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
  void allowSpilling(FrameFields shown) {
    input = shown;
  }

  @Override
  void clear() {
    release();
    inner.clear();
  }

  private void release() {
    if (seen != null) {
      seen.release();
    }
    if (spilled != null) {
      spilled.close();
    }
  }

  @Override
  void add(int group, Frame frame) {
    if (seen == null) {
      seen = new BytesHashTable(frame.limits().newAccount(NAME));
      spilled = input == null ? null : new SpilledRows(input, frame, NAME);
    }
    key.clear();
    KeyEncoder.appendLong(key, GROUP, false, group);
    boolean isNull = NormalizedKeyCodec.append(argument, type, false, frame, key);
    if (!isNull && isNew()) {
      inner.add(group, frame);
    }
  }

  /** If it is not known yet whether the value is new, spills the row and returns false. */
  private boolean isNew() {
    if (spilled == null) {
      return seen.add(key.bytes, 0, key.length);
    }
    boolean isKnown =
        spilled.isWriting()
            ? seen.find(key.bytes, 0, key.length) >= 0
            : seen.tryFindOrAdd(key.bytes, 0, key.length) != BytesHashTable.NO_MEMORY;
    if (!isKnown) {
      spilled.write(key);
      return false;
    }
    return seen.lastAdded();
  }

  @Override
  void addRest(GroupOfRow groups, Frame frame) {
    while (spilled != null && spilled.nextPart()) {
      seen.clear();
      while (spilled.next()) {
        add(groups.group(), frame);
      }
    }
    release();
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    inner.emit(group, frame, slot);
  }
}
