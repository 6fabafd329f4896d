package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** An INSERT that may say what becomes of the values that it gives for identity columns. */
public final class OverridingInsert extends SqlInsert {
  private final Overriding overriding;

  /**
   * Made by the parser.
   *
   * @param columns null for all
   * @param overriding null if it says nothing
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

  /** What an INSERT says; null if nothing. */
  public static Overriding overriding(SqlInsert insert) {
    return insert instanceof OverridingInsert found ? found.overriding : null;
  }
}
