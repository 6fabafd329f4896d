package org.nelumbo.planner.literal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.parser.LiteralTokens;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** The parameterized literals of statements of one shape, with their parameters. Immutable. */
public final class LiteralPositions {
  /** No parameterized literals. */
  public static final LiteralPositions NONE = new LiteralPositions(new byte[0], new int[0], 0);

  /** Terminates a literal in a plan key. */
  private static final char END = '\u0001';

  private final byte[] treatments;
  private final int[] parameters;
  private final int count;

  LiteralPositions(byte[] treatments, int[] parameters, int count) {
    this.treatments = treatments;
    this.parameters = parameters;
    this.count = count;
  }

  /**
   * Returns the plan key, which contains everything except the values of parameterized literals.
   */
  public String key(String shape, LiteralTokens tokens) {
    StringBuilder key = new StringBuilder(shape.length() + 8 * treatments.length).append(shape);
    for (int i = 0; i < treatments.length; i++) {
      key.append(END);
      if (!LiteralParameterization.isLifted(treatments[i])) {
        key.append(tokens.text(i));
      } else {
        key.append(LiteralParameterization.isNegated(treatments[i]) ? "-" : "");
        switch (tokens.kind(i)) {
          case LiteralTokens.INTEGER ->
              key.append(tokens.digits(i) > Integer.MAX_VALUE ? 'l' : 'i');
          case LiteralTokens.DECIMAL ->
              key.append(tokens.length(i)).append(',').append(tokens.scale(i));
          default -> {
            if (!LiteralParameterization.isOfAnyLength(treatments[i])) {
              key.append(tokens.value(i).length());
            }
          }
        }
      }
    }
    return key.toString();
  }

  /** Returns the text with ? in place of the parameterized literals. */
  public String text(LiteralTokens tokens) {
    return tokens.text(i -> LiteralParameterization.isLifted(treatments[i]) ? "?" : tokens.text(i));
  }

  /**
   * Returns the values of the literals of a text.
   *
   * @param types types of their parameters
   * @return null if a literal has another type
   */
  public List<Expression> values(LiteralTokens tokens, List<ColumnType> types) {
    Expression[] values = new Expression[count];
    for (int i = 0; i < treatments.length; i++) {
      if (LiteralParameterization.isLifted(treatments[i])) {
        ColumnType type = types.get(parameters[i]);
        values[parameters[i]] = value(tokens, i, type);
        if (values[parameters[i]] == null) {
          return null;
        }
      }
    }
    return new ArrayList<>(Arrays.asList(values));
  }

  private Expression value(LiteralTokens tokens, int token, ColumnType type) {
    if (tokens.kind(token) == LiteralTokens.TEXT) {
      return type.kind().isCharacter()
          ? Expressions.literal(type, (Object) tokens.value(token))
          : null;
    }
    boolean sameType =
        tokens.kind(token) == LiteralTokens.DECIMAL
            ? type.kind() == Kind.DECIMAL && type.isLong() && type.scale() == tokens.scale(token)
            : type.kind() == Kind.INTEGER || type.kind() == Kind.BIGINT;
    long digits = tokens.digits(token);
    return sameType
        ? Expressions.literal(
            type, LiteralParameterization.isNegated(treatments[token]) ? -digits : digits)
        : null;
  }
}
