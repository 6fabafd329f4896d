package org.nelumbo.executor.expr;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * AND or OR in three-valued logic. One value is decisive (FALSE for AND, TRUE for OR) and takes
 * precedence over NULL; operands after a decisive one are not evaluated.
 */
final class Connective extends Expression {
  private final Expression[] operands;
  private final boolean decisive;

  private Connective(Expression[] operands, boolean decisive) {
    super(FunctionSupport.booleanOf(operands));
    this.operands = operands;
    this.decisive = decisive;
  }

  static Connective and(Expression... operands) {
    return new Connective(operands, false);
  }

  static Connective or(Expression... operands) {
    return new Connective(operands, true);
  }

  @Override
  public long evalLong(Frame frame) {
    boolean unknown = false;
    for (Expression operand : operands) {
      boolean value = operand.evalLong(frame) != 0;
      if (frame.takeNull()) {
        unknown = true;
      } else if (value == decisive) {
        return decisive ? 1 : 0;
      }
    }
    frame.isNull = unknown;
    return decisive ? 0 : 1;
  }

  @Override
  public boolean isTrue(Frame frame) {
    for (Expression operand : operands) {
      if (operand.isTrue(frame) == decisive) {
        return decisive;
      }
    }
    return !decisive;
  }

  @Override
  public boolean isConstant() {
    return FunctionSupport.allConstant(operands);
  }

  @Override
  public String toString() {
    return Arrays.stream(operands)
        .map(Expression::toString)
        .collect(Collectors.joining(decisive ? " OR " : " AND ", "(", ")"));
  }
}
