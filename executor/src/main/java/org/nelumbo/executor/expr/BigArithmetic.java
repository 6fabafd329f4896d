package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/**
 * Arithmetic on exact numbers of any size. A DECIMAL result is rounded half up to its scale; the
 * result may also be NUMERIC. The value is a {@code long} or a BigDecimal, depending on the result
 * type.
 */
final class BigArithmetic extends Expression {
  private final ArithmeticOp op;
  private final Expression left;
  private final Expression right;

  /** True if most values are computed as {@code long}s, without objects. */
  private final boolean unscaled;

  private final long leftFactor;

  private final long rightFactor;

  BigArithmetic(ArithmeticOp op, ColumnType type, Expression left, Expression right) {
    super(type.withNullable(FunctionSupport.anyNullable(left, right)));
    this.op = op;
    this.left = left;
    this.right = right;
    this.unscaled = !type.isLong() && isScaled(op, type, left.type(), right.type());
    boolean sum = unscaled && op != ArithmeticOp.TIMES;
    this.leftFactor = sum ? Decimals.power(type.scale() - left.type().scale()) : 1;
    this.rightFactor = sum ? Decimals.power(type.scale() - right.type().scale()) : 1;
  }

  private static boolean isScaled(ArithmeticOp op, ColumnType type, ColumnType a, ColumnType b) {
    boolean fixed = isFixed(type) && isFixed(a) && isFixed(b);
    int least = Math.min(a.scale(), b.scale());
    int most = Math.max(a.scale(), b.scale());
    return switch (op) {
      case PLUS, MINUS ->
          fixed && type.scale() == most && most - least <= ColumnType.MAX_LONG_PRECISION;
      case TIMES -> fixed && type.scale() == least + most;
      case DIVIDE, MOD -> false;
    };
  }

  private static boolean isFixed(ColumnType type) {
    return type.kind() == Kind.DECIMAL || type.kind().isInteger();
  }

  @Override
  public boolean hasUnscaled() {
    return unscaled;
  }

  @Override
  public long evalUnscaled(Frame frame) {
    if (!unscaled) {
      return super.evalUnscaled(frame);
    }
    long a = unscaled(left, frame);
    if (frame.isNull) {
      return 0;
    }
    BigDecimal wideLeft = frame.takeWide();
    long b = unscaled(right, frame);
    if (frame.isNull) {
      return 0;
    }
    BigDecimal wideRight = frame.takeWide();
    if (wideLeft == null && wideRight == null) {
      long result = op == ArithmeticOp.TIMES ? a * b : sum(a * leftFactor, b * rightFactor);
      if (op == ArithmeticOp.TIMES ? isExact(a, b) : isExactSum(a, b, result)) {
        return result;
      }
    }
    BigDecimal x = wideLeft != null ? wideLeft : BigDecimal.valueOf(a, left.type().scale());
    BigDecimal y = wideRight != null ? wideRight : BigDecimal.valueOf(b, right.type().scale());
    return frame.wideLong(ExactNumbers.fit(type(), compute(x, y)));
  }

  private static long unscaled(Expression operand, Frame frame) {
    return operand.type().isLong() ? operand.evalLong(frame) : operand.evalUnscaled(frame);
  }

  private long sum(long a, long b) {
    return op == ArithmeticOp.PLUS ? a + b : a - b;
  }

  private static boolean isExact(long a, long b) {
    return Math.multiplyHigh(a, b) == a * b >> 63;
  }

  private boolean isExactSum(long a, long b, long sum) {
    if (!isExact(a, leftFactor) || !isExact(b, rightFactor)) {
      return false;
    }
    long x = a * leftFactor;
    long y = b * rightFactor;
    long overflow = op == ArithmeticOp.PLUS ? (x ^ sum) & (y ^ sum) : (x ^ y) & (x ^ sum);
    return overflow >= 0;
  }

  private BigDecimal compute(Frame frame) {
    BigDecimal a = ExactNumbers.big(left, frame);
    BigDecimal b = a == null ? null : ExactNumbers.big(right, frame);
    if (b == null) {
      return null;
    }
    return compute(a, b);
  }

  private BigDecimal compute(BigDecimal a, BigDecimal b) {
    if (b.signum() == 0 && (op == ArithmeticOp.DIVIDE || op == ArithmeticOp.MOD)) {
      throw ExactNumbers.divisionByZero();
    }
    return switch (op) {
      case PLUS -> a.add(b);
      case MINUS -> a.subtract(b);
      case TIMES -> a.multiply(b);
      case DIVIDE -> ExactNumbers.quotient(type(), a, b);
      case MOD -> a.remainder(b);
    };
  }

  @Override
  public long evalLong(Frame frame) {
    BigDecimal value = compute(frame);
    return value == null ? frame.nullLong() : ExactNumbers.fitLong(type(), value);
  }

  @Override
  public Object evalObject(Frame frame) {
    if (unscaled) {
      long number = evalUnscaled(frame);
      if (frame.takeNull()) {
        return null;
      }
      BigDecimal wide = frame.takeWide();
      return wide != null ? wide : BigDecimal.valueOf(number, type().scale());
    }
    BigDecimal value = compute(frame);
    return value == null ? null : ExactNumbers.fit(type(), value);
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
