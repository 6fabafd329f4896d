package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Arithmetic on DOUBLEs with a REAL or DOUBLE result. Overflow fails with 22003, division by zero
 * with 22012.
 */
final class DoubleArithmetic extends Expression {
  private final ArithmeticOp op;
  private final Expression left;
  private final Expression right;
  private final boolean real;

  DoubleArithmetic(ArithmeticOp op, ColumnType type, Expression left, Expression right) {
    super(type.withNullable(FunctionSupport.anyNullable(left, right)));
    this.op = op;
    this.left = left;
    this.right = right;
    this.real = type.kind() == Kind.REAL;
  }

  @Override
  public long evalLong(Frame frame) {
    double a = Double.longBitsToDouble(left.evalLong(frame));
    if (frame.isNull) {
      return 0;
    }
    double b = Double.longBitsToDouble(right.evalLong(frame));
    if (frame.isNull) {
      return 0;
    }
    double result = compute(a, b);
    if (!Double.isFinite(result) && Double.isFinite(a) && Double.isFinite(b)) {
      throw ExactNumbers.outOfRange(type());
    }
    double rounded = real ? (float) result : result;
    if (Double.isInfinite(rounded) && !Double.isInfinite(result)) {
      throw ExactNumbers.outOfRange(type());
    }
    return Double.doubleToRawLongBits(rounded);
  }

  private double compute(double a, double b) {
    if (b == 0 && (op == ArithmeticOp.DIVIDE || op == ArithmeticOp.MOD)) {
      throw ExactNumbers.divisionByZero();
    }
    return switch (op) {
      case PLUS -> a + b;
      case MINUS -> a - b;
      case TIMES -> a * b;
      case DIVIDE -> a / b;
      case MOD -> a % b;
    };
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
