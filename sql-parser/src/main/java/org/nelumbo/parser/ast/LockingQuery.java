package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * A query whose rows are locked: {@code SELECT ... FOR UPDATE [OF tables] [NOWAIT | SKIP LOCKED]}.
 */
public final class LockingQuery extends NelumboStatement {
  private final SqlNode query;
  private final LockStrength strength;
  private final SqlNodeList tables;
  private final LockWait lockWait;

  public LockingQuery(
      SqlParserPos pos,
      SqlNode query,
      LockStrength strength,
      SqlNodeList tables,
      LockWait lockWait) {
    super(StatementKind.LOCKING_QUERY, SqlKind.OTHER, pos);
    this.query = query;
    this.strength = strength;
    this.tables = tables;
    this.lockWait = lockWait;
  }

  /** Returns the query, including ORDER BY and LIMIT. */
  public SqlNode query() {
    return query;
  }

  public LockStrength strength() {
    return strength;
  }

  /** Returns the tables whose rows are locked; empty for all. */
  public SqlNodeList tables() {
    return tables;
  }

  /** Returns the behavior for rows that other transactions have locked. */
  public LockWait lockWait() {
    return lockWait;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(query, tables);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new LockingQuery(
        pos, children.get(0), strength, (SqlNodeList) children.get(1), lockWait);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    query.unparse(writer, 0, 0);
    writer.keyword("FOR " + strength.name());
    if (!tables.isEmpty()) {
      writer.keyword("OF");
      Writing.commaSeparated(writer, tables);
    }
    Writing.keywordIf(writer, lockWait == LockWait.NOWAIT, "NOWAIT");
    Writing.keywordIf(writer, lockWait == LockWait.SKIP_LOCKED, "SKIP LOCKED");
  }
}
