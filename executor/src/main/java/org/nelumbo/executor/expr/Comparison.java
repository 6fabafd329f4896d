package org.nelumbo.executor.expr;

/** A comparison of two values by {@link CompareOp}; NULL if one of the values is NULL. */
abstract class Comparison extends Expression {
  final CompareOp op;
  final Expression left;
  final Expression right;

  Comparison(CompareOp op, Expression left, Expression right) {
    super(FunctionSupport.booleanOf(left, right));
    this.op = op;
    this.left = left;
    this.right = right;
  }

  @Override
  public final boolean isConstant() {
    return left.isConstant() && right.isConstant();
  }

  @Override
  public final String toString() {
    return FunctionSupport.infix(left, op.symbol(), right);
  }
}
