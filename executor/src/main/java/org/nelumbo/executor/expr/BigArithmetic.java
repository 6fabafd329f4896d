package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import org.nelumbo.executor.row.ColumnType;

/**
 * Arithmetic on exact numbers of any size with a DECIMAL result, rounded half up to its scale, or a
 * NUMERIC one. The result is a {@code long} or a BigDecimal, as its type says.
 */
final class BigArithmetic extends Expression {
  private final ArithmeticOp op;
  private final Expression left;
  private final Expression right;

  BigArithmetic(ArithmeticOp op, ColumnType type, Expression left, Expression right) {
    super(type.withNullable(FunctionSupport.anyNullable(left, right)));
    this.op = op;
    this.left = left;
    this.right = right;
  }

  private BigDecimal compute(Frame frame) {
    BigDecimal a = ExactNumbers.big(left, frame);
    BigDecimal b = a == null ? null : ExactNumbers.big(right, frame);
    if (b == null) {
      return null;
    }
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
