package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** MERGE: for each row of a source, changes the matching row or inserts one. */
public final class MergeInto extends NelumboStatement {
  private final SqlIdentifier table;
  private final SqlIdentifier alias;
  private final SqlNode source;
  private final SqlNode condition;
  private final SqlNodeList clauses;

  public MergeInto(
      SqlParserPos pos,
      SqlIdentifier table,
      SqlIdentifier alias,
      SqlNode source,
      SqlNode condition,
      SqlNodeList clauses) {
    super(StatementKind.MERGE, SqlKind.OTHER, pos);
    this.table = table;
    this.alias = alias;
    this.source = source;
    this.condition = condition;
    this.clauses = clauses;
  }

  /** Returns the table that is changed. */
  public SqlIdentifier table() {
    return table;
  }

  /** Returns the alias of the table, or null if it has none. */
  public SqlIdentifier alias() {
    return alias;
  }

  /** Returns the table or query after USING. */
  public SqlNode source() {
    return source;
  }

  /** Returns the condition after ON. */
  public SqlNode condition() {
    return condition;
  }

  /** Returns the {@link MergeClause}s in order; the first one that applies to a row is executed. */
  public SqlNodeList clauses() {
    return clauses;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(table, alias, source, condition, clauses);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new MergeInto(
        pos,
        (SqlIdentifier) children.get(0),
        (SqlIdentifier) children.get(1),
        children.get(2),
        children.get(3),
        (SqlNodeList) children.get(4));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "MERGE INTO", table);
    Writing.clauseIf(writer, "AS", alias);
    Writing.fromClause(writer, "USING", source);
    Writing.clauseIf(writer, "ON", condition);
    clauses.forEach(clause -> clause.unparse(writer, 0, 0));
  }
}
