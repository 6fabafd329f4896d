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

/** SET name = value, SET TIME ZONE, RESET name: another value for a property of the session. */
public final class SetProperty extends NelumboStatement {
  private final SqlIdentifier name;
  private final List<String> values;
  private final boolean isLocal;

  /** Made by the parser; the arguments are described at the getters. */
  public SetProperty(SqlParserPos pos, SqlIdentifier name, List<String> values) {
    this(pos, name, values, false);
  }

  private SetProperty(SqlParserPos pos, SqlIdentifier name, List<String> values, boolean isLocal) {
    super(StatementKind.SET_OPTION, SqlKind.SET_OPTION, pos);
    this.name = name;
    this.values = List.copyOf(values);
    this.isLocal = isLocal;
  }

  /** SET NAMES: the encoding of texts, which MySQL has other names for. */
  public static SetProperty names(SqlParserPos pos, String value) {
    String encoding = value.toUpperCase(Locale.ROOT).startsWith("UTF8") ? "UTF8" : value;
    return new SetProperty(pos, new SqlIdentifier("CLIENT_ENCODING", pos), List.of(encoding));
  }

  /** SET LOCAL of this property. */
  public SetProperty local() {
    return new SetProperty(getParserPosition(), name, values, true);
  }

  /** Whether the value counts until the transaction ends only. */
  public boolean isLocal() {
    return isLocal;
  }

  /** The property; {@code ALL} of a RESET. */
  public SqlIdentifier name() {
    return name;
  }

  /** Texts of the values; none if it gets the value it began with. */
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
