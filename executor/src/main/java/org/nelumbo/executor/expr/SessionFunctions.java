package org.nelumbo.executor.expr;

import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;

/** Functions of the session: its properties, and the number that it drew last. */
public final class SessionFunctions {
  private SessionFunctions() {}

  /** CURRENT_SETTING: the value of a property of the session. */
  public static Expression setting(Expression name) {
    return new Setting(name);
  }

  /** LASTVAL: the number that the session drew last. */
  public static Expression lastNumber() {
    return new LongFunctionCall(
        "LASTVAL", ColumnType.of(Kind.BIGINT), (frame, _) -> frame.session().last());
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
