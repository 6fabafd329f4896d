package org.nelumbo.executor.expr;

import java.util.Arrays;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** {@code value IN (constants)} for numbers of one type that are equal as {@code long}s. */
final class LongInList extends Expression {
  private final Expression value;
  private final long[] sorted;
  private final boolean hasNull;

  LongInList(Expression value, long[] constants, boolean hasNull) {
    super(new ColumnType(Kind.BOOLEAN, 0, 0, hasNull || value.type().nullable()));
    this.value = value;
    this.sorted = constants.clone();
    this.hasNull = hasNull;
    Arrays.sort(sorted);
  }

  @Override
  public long evalLong(Frame frame) {
    long raw = value.evalLong(frame);
    if (frame.isNull || Arrays.binarySearch(sorted, raw) >= 0) {
      return 1;
    }
    frame.isNull = hasNull;
    return 0;
  }

  @Override
  public boolean isConstant() {
    return value.isConstant();
  }

  @Override
  public String toString() {
    return value + " IN " + Arrays.toString(sorted) + (hasNull ? " OR NULL" : "");
  }
}
