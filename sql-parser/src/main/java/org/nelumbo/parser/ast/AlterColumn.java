package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** ALTER COLUMN: another type, default or nullability for a column. */
public final class AlterColumn extends TableChange {
  private final SqlIdentifier column;
  private final Action action;
  private final SqlDataTypeSpec newType;
  private final SqlNode value;

  /** Made by the parser; the arguments are described at the getters. */
  public AlterColumn(
      SqlParserPos pos,
      SqlIdentifier column,
      Action action,
      SqlDataTypeSpec newType,
      SqlNode value) {
    super("ALTER COLUMN", SqlKind.OTHER_DDL, pos);
    this.column = column;
    this.action = action;
    this.newType = newType;
    this.value = value;
  }

  /** The column. */
  public SqlIdentifier column() {
    return column;
  }

  /** What changes. */
  public Action action() {
    return action;
  }

  /** The type of {@code SET_TYPE}; otherwise null. */
  public SqlDataTypeSpec newType() {
    return newType;
  }

  /**
   * The value of {@code SET_DEFAULT}; the number of {@code RESTART} or null; what values of the new
   * type are computed from, or null; otherwise null.
   */
  public SqlNode value() {
    return value;
  }

  /** What can change in a column. */
  public enum Action {
    SET_TYPE,
    SET_DEFAULT,
    DROP_DEFAULT,
    SET_NOT_NULL,
    DROP_NOT_NULL,
    /** A generated column becomes one like others. */
    DROP_EXPRESSION,
    /** The identity goes on with a number. */
    RESTART
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(column, newType, value);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new AlterColumn(
        pos,
        (SqlIdentifier) children.get(0),
        action,
        (SqlDataTypeSpec) children.get(1),
        children.get(2));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ALTER COLUMN");
    column.unparse(writer, 0, 0);
    switch (action) {
      case SET_TYPE -> {
        Writing.clauseIf(writer, "SET DATA TYPE", newType);
        Writing.clauseIf(writer, "USING", value);
      }
      case SET_DEFAULT -> Writing.clauseIf(writer, "SET DEFAULT", value);
      case DROP_DEFAULT -> writer.keyword("DROP DEFAULT");
      case SET_NOT_NULL -> writer.keyword("SET NOT NULL");
      case DROP_NOT_NULL -> writer.keyword("DROP NOT NULL");
      case DROP_EXPRESSION -> writer.keyword("DROP EXPRESSION");
      case RESTART -> {
        writer.keyword("RESTART");
        Writing.clauseIf(writer, "WITH", value);
      }
    }
  }
}
