package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** DROP TABLE, VIEW, SEQUENCE, INDEX or SCHEMA, depending on {@link #statementKind}. */
public final class DropObject extends NelumboStatement {
  private final SqlNodeList names;
  private final SqlIdentifier table;
  private final boolean ifExists;
  private final DropBehavior behavior;

  private DropObject(
      StatementKind statementKind,
      SqlKind kind,
      SqlParserPos pos,
      SqlNodeList names,
      SqlIdentifier table,
      boolean ifExists,
      DropBehavior behavior) {
    super(statementKind, kind, pos);
    this.names = names;
    this.table = table;
    this.ifExists = ifExists;
    this.behavior = behavior;
  }

  /** Creates {@code DROP TABLE [IF EXISTS] names [behavior]}. */
  public static DropObject tables(
      SqlParserPos pos, SqlNodeList names, boolean ifExists, DropBehavior behavior) {
    return new DropObject(
        StatementKind.DROP_TABLE, SqlKind.DROP_TABLE, pos, names, null, ifExists, behavior);
  }

  /** Creates {@code DROP VIEW [IF EXISTS] names [behavior]}. */
  public static DropObject views(
      SqlParserPos pos, SqlNodeList names, boolean ifExists, DropBehavior behavior) {
    return new DropObject(
        StatementKind.DROP_VIEW, SqlKind.DROP_VIEW, pos, names, null, ifExists, behavior);
  }

  /** Creates {@code DROP SEQUENCE [IF EXISTS] names [behavior]}. */
  public static DropObject sequences(
      SqlParserPos pos, SqlNodeList names, boolean ifExists, DropBehavior behavior) {
    return new DropObject(
        StatementKind.DROP_SEQUENCE, SqlKind.DROP_SEQUENCE, pos, names, null, ifExists, behavior);
  }

  /** Creates {@code DROP INDEX [IF EXISTS] names [ON table]}; the table is null without ON. */
  public static DropObject indexes(
      SqlParserPos pos, SqlNodeList names, SqlIdentifier table, boolean ifExists) {
    return new DropObject(
        StatementKind.DROP_INDEX,
        SqlKind.DROP_INDEX,
        pos,
        names,
        table,
        ifExists,
        DropBehavior.UNSPECIFIED);
  }

  /** Creates {@code DROP SCHEMA [IF EXISTS] name [behavior]}. */
  public static DropObject schema(
      SqlParserPos pos, SqlIdentifier name, boolean ifExists, DropBehavior behavior) {
    return new DropObject(
        StatementKind.DROP_SCHEMA,
        SqlKind.DROP_SCHEMA,
        pos,
        SqlNodeList.of(name),
        null,
        ifExists,
        behavior);
  }

  /** Returns the dropped objects: one or more tables, views, sequences or indexes, or a schema. */
  public SqlNodeList names() {
    return names;
  }

  /** Returns the name of a schema. */
  public SqlIdentifier name() {
    return (SqlIdentifier) names.get(0);
  }

  /** Returns the table after ON, or null if there is none. */
  public SqlIdentifier table() {
    return table;
  }

  /** Returns true if a missing object is not an error. */
  public boolean ifExists() {
    return ifExists;
  }

  /** Returns CASCADE, RESTRICT or unspecified. */
  public DropBehavior behavior() {
    return behavior;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(names, table);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DropObject(
        statementKind(),
        getKind(),
        pos,
        (SqlNodeList) children.get(0),
        (SqlIdentifier) children.get(1),
        ifExists,
        behavior);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(statementKind().title());
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    Writing.commaSeparated(writer, names);
    Writing.clauseIf(writer, "ON", table);
    Writing.keywordIf(writer, behavior != DropBehavior.UNSPECIFIED, behavior.name());
  }
}
