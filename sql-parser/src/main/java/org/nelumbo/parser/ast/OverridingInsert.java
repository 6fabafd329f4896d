package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** An INSERT with an optional OVERRIDING clause. */
public final class OverridingInsert extends SqlInsert {
  private final Overriding overriding;

  /**
   * Creates an INSERT.
   *
   * @param columns null for all
   * @param overriding null if there is no such clause
   */
  public OverridingInsert(
      SqlParserPos pos,
      SqlNodeList keywords,
      SqlNode table,
      SqlNode source,
      SqlNodeList columns,
      Overriding overriding) {
    super(pos, keywords, table, source, columns);
    this.overriding = overriding;
  }

  /** Returns the OVERRIDING clause of an INSERT, or null if there is none. */
  public static Overriding overriding(SqlInsert insert) {
    return insert instanceof OverridingInsert found ? found.overriding : null;
  }
}
