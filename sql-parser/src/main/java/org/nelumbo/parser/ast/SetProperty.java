package org.nelumbo.parser.ast;

import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** SET name = value, SET TIME ZONE, RESET name: changes a property of the session. */
public final class SetProperty extends NelumboStatement {
  private final SqlIdentifier name;
  private final List<String> values;
  private final boolean isLocal;

  public SetProperty(SqlParserPos pos, SqlIdentifier name, List<String> values) {
    this(pos, name, values, false);
  }

  private SetProperty(SqlParserPos pos, SqlIdentifier name, List<String> values, boolean isLocal) {
    super(StatementKind.SET_OPTION, SqlKind.SET_OPTION, pos);
    this.name = name;
    this.values = List.copyOf(values);
    this.isLocal = isLocal;
  }

  /**
   * Creates SET NAMES, which sets the encoding of strings; MySQL's names for UTF8 are mapped to it.
   */
  public static SetProperty names(SqlParserPos pos, String value) {
    String encoding = value.toUpperCase(Locale.ROOT).startsWith("UTF8") ? "UTF8" : value;
    return new SetProperty(pos, new SqlIdentifier("CLIENT_ENCODING", pos), List.of(encoding));
  }

  /** Returns the SET LOCAL form of this statement. */
  public SetProperty local() {
    return new SetProperty(getParserPosition(), name, values, true);
  }

  /** Returns true if the value is valid only until the end of the transaction. */
  public boolean isLocal() {
    return isLocal;
  }

  /** Returns the name of the property; {@code ALL} for a RESET of all. */
  public SqlIdentifier name() {
    return name;
  }

  /** Returns the values as strings; empty to reset the property to its initial value. */
  public List<String> values() {
    return values;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new SetProperty(pos, (SqlIdentifier) children.get(0), values, isLocal);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    if (isLocal) {
      writer.keyword("SET LOCAL");
      name.unparse(writer, 0, 0);
      Writing.keywordIf(writer, values.isEmpty(), "= DEFAULT");
    } else {
      Writing.allOr(writer, values.isEmpty() ? "RESET" : "SET", name);
    }
    for (int i = 0; i < values.size(); i++) {
      SqlNode value = SqlLiteral.createCharString(values.get(i), getParserPosition());
      Writing.clauseIf(writer, i == 0 ? "=" : ",", value);
    }
  }
}
