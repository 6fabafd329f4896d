package org.nelumbo.executor.expr;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Functions of the session: its properties, and the number that it drew last. */
public final class SessionFunctions {
  private SessionFunctions() {}

  /** CURRENT_SETTING: the value of a property of the session. */
  public static Expression setting(Expression name) {
    return new Setting(name);
  }

  /** SET_CONFIG: gives a property of the session another value. */
  public static Expression set(Expression name, Expression value, Expression local) {
    return new Change(name, value, local);
  }

  /** LASTVAL: the number that the session drew last. */
  public static Expression lastNumber() {
    return new LongFunctionCall(
        "LASTVAL", ColumnType.of(Kind.BIGINT), (frame, _) -> frame.session().last());
  }

  /** SESSION_ID: the number of the session. */
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
