package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A join in parentheses with an alias: {@code (a JOIN b USING (id)) AS q (id, x, y)}. */
public final class NamedJoin {
  private NamedJoin() {}

  /**
   * Returns the node to which the alias applies. For a join this is a query of all its columns,
   * outside of which its tables cannot be named; any other table is returned unchanged.
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
