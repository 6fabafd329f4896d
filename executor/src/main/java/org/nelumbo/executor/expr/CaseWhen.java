package org.nelumbo.executor.expr;

import java.util.Arrays;
import org.nelumbo.types.ColumnType;

/**
 * CASE: the result of the first condition that is TRUE; later conditions and other results are not
 * evaluated.
 */
final class CaseWhen extends Expression {
  private final Expression[] conditions;
  private final Expression[] results;
  private final Expression otherwise;
  private final boolean unscaled;

  /** Creates a CASE. All results have the representation of {@code type}. */
  CaseWhen(ColumnType type, Expression[] conditions, Expression[] results, Expression otherwise) {
    super(type.withNullable(FunctionSupport.anyNullable(results) || otherwise.type().nullable()));
    this.conditions = conditions;
    this.results = results;
    this.otherwise = otherwise;
    this.unscaled = Arrays.stream(results).allMatch(this::isUnscaled) && isUnscaled(otherwise);
  }

  private boolean isUnscaled(Expression result) {
    return result.hasUnscaled() && result.type().scale() == type().scale();
  }

  private Expression choose(Frame frame) {
    for (int i = 0; i < conditions.length; i++) {
      if (conditions[i].isTrue(frame)) {
        return results[i];
      }
    }
    return otherwise;
  }

  @Override
  public long evalLong(Frame frame) {
    return choose(frame).evalLong(frame);
  }

  @Override
  public Object evalObject(Frame frame) {
    return choose(frame).evalObject(frame);
  }

  @Override
  public boolean hasUnscaled() {
    return unscaled;
  }

  @Override
  public long evalUnscaled(Frame frame) {
    return unscaled ? choose(frame).evalUnscaled(frame) : super.evalUnscaled(frame);
  }

  @Override
  public boolean isNull(Frame frame) {
    return choose(frame).isNull(frame);
  }

  @Override
  public boolean isConstant() {
    return FunctionSupport.allConstant(conditions)
        && FunctionSupport.allConstant(results)
        && otherwise.isConstant();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("CASE");
    for (int i = 0; i < conditions.length; i++) {
      text.append(" WHEN ").append(conditions[i]).append(" THEN ").append(results[i]);
    }
    return text.append(" ELSE ").append(otherwise).append(" END").toString();
  }
}
