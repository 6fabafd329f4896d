package org.nelumbo.executor.expr;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Creates functions of the session: its properties, its number, and the last number that it drew
 * from a sequence.
 */
public final class SessionFunctions {
  private SessionFunctions() {}

  /** Creates CURRENT_SETTING: the value of a session property. */
  public static Expression setting(Expression name) {
    return new Setting(name);
  }

  /** Creates SET_CONFIG, which changes a session property. */
  public static Expression set(Expression name, Expression value, Expression local) {
    return new Change(name, value, local);
  }

  /** Creates LASTVAL: the last number that the session drew from a sequence. */
  public static Expression lastNumber() {
    return new LongFunctionCall(
        "LASTVAL", ColumnType.of(Kind.BIGINT), (frame, _) -> frame.session().last());
  }

  /** Creates SESSION_ID: the number of the session. */
  public static Expression number() {
    return new LongFunctionCall(
        "SESSION_ID", ColumnType.of(Kind.BIGINT), (frame, _) -> frame.session().number());
  }

  private static final class Change extends Expression {
    private final Expression name;
    private final Expression value;
    private final Expression local;

    Change(Expression name, Expression value, Expression local) {
      super(ColumnType.of(Kind.VARCHAR).orNull());
      this.name = name;
      this.value = value;
      this.local = local;
    }

    @Override
    public Object evalObject(Frame frame) {
      String property = (String) name.evalObject(frame);
      String text = (String) value.evalObject(frame);
      boolean isLocal = local.evalLong(frame) != 0 && !frame.isNull;
      frame.isNull = false;
      if (isLocal) {
        throw new NelumboException(
            ErrorCode.UNSUPPORTED, "SET_CONFIG is for the session; use SET LOCAL");
      }
      if (property == null || text == null) {
        return null;
      }
      frame.session().setProperty(property, text);
      return text;
    }

    @Override
    public String toString() {
      return "SET_CONFIG(" + name + ", " + value + ", " + local + ")";
    }
  }

  private static final class Setting extends Expression {
    private final Expression name;

    Setting(Expression name) {
      super(ColumnType.of(Kind.VARCHAR).orNull());
      this.name = name;
    }

    @Override
    public Object evalObject(Frame frame) {
      String wanted = (String) name.evalObject(frame);
      String value = wanted == null ? null : frame.session().property(wanted);
      if (wanted != null && value == null) {
        throw new NelumboException(
            ErrorCode.BAD_PARAMETER,
            "there is no property " + wanted + " of a session; SHOW ALL lists them");
      }
      return value;
    }

    @Override
    public String toString() {
      return "CURRENT_SETTING(" + name + ")";
    }
  }
}
