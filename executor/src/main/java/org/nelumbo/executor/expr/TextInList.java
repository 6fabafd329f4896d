package org.nelumbo.executor.expr;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** {@code value IN (texts)} for a computed text, which is evaluated once for the whole list. */
final class TextInList extends Expression {
  private final Expression value;
  private final Expression[] list;
  private final boolean padded;

  private TextInList(Expression value, Expression[] list) {
    super(new ColumnType(Kind.BOOLEAN, 0, 0, isNullable(value, list)));
    this.value = value;
    this.list = list;
    this.padded = value.type().kind() == Kind.CHAR;
  }

  private static boolean isNullable(Expression value, Expression[] list) {
    return value.type().nullable() || FunctionSupport.anyNullable(list);
  }

  /**
   * Creates the test, or returns null if the value is not computed.
   *
   * @param list texts that are compared as VARCHAR
   */
  static Expression of(Expression value, List<Expression> list) {
    boolean computed = value.type().kind().isCharacter() && value instanceof FunctionCall;
    return computed && !value.isConstant()
        ? new TextInList(value, list.toArray(Expression[]::new))
        : null;
  }

  @Override
  public long evalLong(Frame frame) {
    String text = (String) value.evalObject(frame);
    if (text == null) {
      return frame.nullLong();
    }
    boolean hasNull = false;
    for (Expression element : list) {
      String other = (String) element.evalObject(frame);
      hasNull |= other == null;
      if (other != null
          && (padded ? RawValueOrder.comparePadded(text, other) == 0 : text.equals(other))) {
        return 1;
      }
    }
    frame.isNull = hasNull;
    return 0;
  }

  @Override
  public String toString() {
    return Arrays.stream(list)
        .map(Expression::toString)
        .collect(Collectors.joining(", ", value + " IN [", "]"));
  }
}
