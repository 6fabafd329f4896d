package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A query of WITH with an evaluation hint: {@code name AS [NOT] MATERIALIZED (query)}. */
public final class NamedQuery extends SqlWithItem {
  private static final SqlOperator MATERIALIZED = new Operator(true);
  private static final SqlOperator NOT_MATERIALIZED = new Operator(false);

  private final boolean materialized;

  private static final class Operator extends SqlSpecialOperator {
    private final boolean materialized;

    Operator(boolean materialized) {
      super("WITH_ITEM", SqlKind.WITH_ITEM, 0);
      this.materialized = materialized;
    }

    @Override
    public SqlCall createCall(SqlLiteral qualifier, SqlParserPos pos, SqlNode... operands) {
      return new NamedQuery(
          pos,
          (SqlIdentifier) operands[0],
          (SqlNodeList) operands[1],
          operands[2],
          (SqlLiteral) operands[3],
          materialized);
    }

    @Override
    public void unparse(SqlWriter writer, SqlCall call, int left, int right) {
      NamedQuery query = (NamedQuery) call;
      query.name.unparse(writer, getLeftPrec(), getRightPrec());
      if (query.columnList != null) {
        SqlWriter.Frame frame = writer.startList("(", ")");
        query.columnList.forEach(
            column -> {
              writer.sep(",");
              column.unparse(writer, 0, 0);
            });
        writer.endList(frame);
      }
      writer.keyword(materialized ? "AS MATERIALIZED" : "AS NOT MATERIALIZED");
      SqlWriter.Frame frame = writer.startList(SqlWriter.FrameTypeEnum.WITH_BODY, "(", ")");
      query.query.unparse(writer, 0, 0);
      writer.endList(frame);
    }
  }

  /**
   * Creates a named query.
   *
   * @param columns names of the columns; null to use those of the query
   */
  public NamedQuery(
      SqlParserPos pos,
      SqlIdentifier name,
      SqlNodeList columns,
      SqlNode query,
      SqlLiteral recursive,
      boolean materialized) {
    super(pos, name, columns, query, recursive);
    this.materialized = materialized;
  }

  /** Returns true if the query has to run once; otherwise it is planned at each reference. */
  public boolean isMaterialized() {
    return materialized;
  }

  @Override
  public SqlOperator getOperator() {
    return materialized ? MATERIALIZED : NOT_MATERIALIZED;
  }
}
