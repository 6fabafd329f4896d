package org.nelumbo.parser.dialect;

import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.validate.SqlAbstractConformance;

/**
 * The accepted deviations from the standard, which are common in other databases and change no
 * meaning. The parser and the validator share them.
 */
public final class NelumboConformance extends SqlAbstractConformance {
  /** The only instance. */
  public static final NelumboConformance INSTANCE = new NelumboConformance();

  private NelumboConformance() {}

  /** Allows {@code a != b}. */
  @Override
  public boolean isBangEqualAllowed() {
    return true;
  }

  /** Allows {@code a % b}. */
  @Override
  public boolean isPercentRemainderAllowed() {
    return true;
  }

  /** Allows {@code LIMIT start, count}. */
  @Override
  public boolean isLimitStartCountAllowed() {
    return true;
  }

  /** Allows {@code OFFSET n LIMIT m}. */
  @Override
  public boolean isOffsetLimitAllowed() {
    return true;
  }

  /** Allows {@code MINUS} for {@code EXCEPT}. */
  @Override
  public boolean isMinusAllowed() {
    return true;
  }

  /** Allows {@code GROUP BY 1}. */
  @Override
  public boolean isGroupByOrdinal() {
    return true;
  }

  /** Allows {@code SELECT a + 1 AS b ... GROUP BY b}, unless a column of a table has that name. */
  @Override
  public boolean isGroupByAlias() {
    return true;
  }

  /** Allows {@code SELECT COUNT(*) AS n ... HAVING n > 1}. */
  @Override
  public boolean isHavingAlias() {
    return true;
  }

  /** Allows {@code INSERT INTO t (a)} if the other columns are nullable or have defaults. */
  @Override
  public boolean isInsertSubsetColumnsAllowed() {
    return true;
  }

  /** Allows {@code CURRENT_TIMESTAMP()}. */
  @Override
  public boolean allowNiladicParentheses() {
    return true;
  }

  /** Keeps {@code CURRENT_TIMESTAMP} without parentheses as a call. */
  @Override
  public boolean allowNiladicConstantWithoutParentheses() {
    return true;
  }

  @Override
  public SqlLibrary semantics() {
    return SqlLibrary.STANDARD;
  }
}
