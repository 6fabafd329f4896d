package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A join in parentheses that has a name: {@code (a JOIN b USING (id)) AS q (id, x, y)}. */
public final class NamedJoin {
  private NamedJoin() {}

  /**
   * Returns what the name is given to: a query of all columns of a join, whose tables cannot be
   * named outside of it then; any other table as it is.
   */
  public static SqlNode named(SqlNode table) {
    if (!(table instanceof SqlJoin)) {
      return table;
    }
    SqlParserPos pos = table.getParserPosition();
    SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(pos));
    return new SqlSelect(
        pos, null, all, table, null, null, null, null, null, null, null, null, null);
  }
}
