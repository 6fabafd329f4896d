package org.nelumbo.executor.expr;

import org.nelumbo.executor.row.Ranges;
import org.nelumbo.types.ColumnType;

/**
 * Arithmetic on exact numbers that are {@code long}s, with a {@code long} result: integers, and
 * decimals whose operands have been converted to the scales that the operator requires. Overflow
 * fails with 22003.
 */
final class LongArithmetic extends Expression {
  private final ArithmeticOp op;
  private final Expression left;
  private final Expression right;

  LongArithmetic(ArithmeticOp op, ColumnType type, Expression left, Expression right) {
    super(type.withNullable(FunctionSupport.anyNullable(left, right)));
    this.op = op;
    this.left = left;
    this.right = right;
  }

  @Override
  public long evalLong(Frame frame) {
    long a = left.evalLong(frame);
    if (frame.isNull) {
      return 0;
    }
    long b = right.evalLong(frame);
    if (frame.isNull) {
      return 0;
    }
    long result =
        switch (op) {
          case PLUS -> plus(a, b);
          case MINUS -> minus(a, b);
          case TIMES -> times(a, b);
          case DIVIDE -> divide(a, b);
          case MOD -> a % nonZero(b);
        };
    if (!Ranges.fits(type(), result)) {
      throw ExactNumbers.outOfRange(type());
    }
    return result;
  }

  private long plus(long a, long b) {
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0) {
      throw ExactNumbers.outOfRange(type());
    }
    return sum;
  }

  private long minus(long a, long b) {
    long difference = a - b;
    if (((a ^ b) & (a ^ difference)) < 0) {
      throw ExactNumbers.outOfRange(type());
    }
    return difference;
  }

  private long times(long a, long b) {
    long product = a * b;
    if (Math.multiplyHigh(a, b) != product >> 63) {
      throw ExactNumbers.outOfRange(type());
    }
    return product;
  }

  private long divide(long a, long b) {
    if (a == Long.MIN_VALUE && b == -1) {
      throw ExactNumbers.outOfRange(type());
    }
    return a / nonZero(b);
  }

  private static long nonZero(long divisor) {
    if (divisor == 0) {
      throw ExactNumbers.divisionByZero();
    }
    return divisor;
  }

  @Override
  public boolean isConstant() {
    return left.isConstant() && right.isConstant();
  }

  @Override
  public String toString() {
    return FunctionSupport.infix(left, op.symbol(), right);
  }
}
