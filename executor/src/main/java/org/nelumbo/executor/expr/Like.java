package org.nelumbo.executor.expr;

import java.util.Objects;

/** LIKE. The last pattern is kept in compiled form, so a constant pattern is compiled once. */
final class Like extends Expression {
  private final Expression text;
  private final Expression pattern;
  private final Expression escape;
  private volatile Compiled last;

  private record Compiled(String pattern, String escape, LikePattern matcher) {}

  Like(Expression text, Expression pattern, Expression escape) {
    super(
        escape == null
            ? FunctionSupport.booleanOf(text, pattern)
            : FunctionSupport.booleanOf(text, pattern, escape));
    this.text = text;
    this.pattern = pattern;
    this.escape = escape;
  }

  @Override
  public long evalLong(Frame frame) {
    String value = (String) text.evalObject(frame);
    String wanted = value == null ? null : (String) pattern.evalObject(frame);
    if (wanted == null) {
      return frame.nullLong();
    }
    String character = null;
    if (escape != null) {
      character = (String) escape.evalObject(frame);
      if (character == null) {
        return frame.nullLong();
      }
    }
    return matcher(wanted, character).matches(value, frame.limits()) ? 1 : 0;
  }

  private LikePattern matcher(String wanted, String character) {
    Compiled known = last;
    if (known != null && known.pattern.equals(wanted) && Objects.equals(known.escape, character)) {
      return known.matcher;
    }
    LikePattern matcher = LikePattern.compile(wanted, character);
    last = new Compiled(wanted, character, matcher);
    return matcher;
  }

  @Override
  public boolean isConstant() {
    return text.isConstant() && pattern.isConstant() && (escape == null || escape.isConstant());
  }

  @Override
  public String toString() {
    return FunctionSupport.infix(text, "LIKE", pattern);
  }
}
