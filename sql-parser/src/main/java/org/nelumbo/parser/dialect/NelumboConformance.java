package org.nelumbo.parser.dialect;

import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.validate.SqlAbstractConformance;

/**
 * The deviations from the standard that are accepted: those that change no meaning and that people
 * bring along from other databases. For the parser and the validator alike.
 */
public final class NelumboConformance extends SqlAbstractConformance {
  /** The one conformance. */
  public static final NelumboConformance INSTANCE = new NelumboConformance();

  private NelumboConformance() {}

  /** {@code a != b}. */
  @Override
  public boolean isBangEqualAllowed() {
    return true;
  }

  /** {@code a % b}. */
  @Override
  public boolean isPercentRemainderAllowed() {
    return true;
  }

  /** {@code LIMIT start, count}. */
  @Override
  public boolean isLimitStartCountAllowed() {
    return true;
  }

  /** {@code OFFSET n LIMIT m}. */
  @Override
  public boolean isOffsetLimitAllowed() {
    return true;
  }

  /** {@code MINUS} for {@code EXCEPT}. */
  @Override
  public boolean isMinusAllowed() {
    return true;
  }

  /** {@code GROUP BY 1}. */
  @Override
  public boolean isGroupByOrdinal() {
    return true;
  }

  /** {@code SELECT a + 1 AS b ... GROUP BY b}, unless a column of a table has that name. */
  @Override
  public boolean isGroupByAlias() {
    return true;
  }

  /** {@code SELECT COUNT(*) AS n ... HAVING n > 1}. */
  @Override
  public boolean isHavingAlias() {
    return true;
  }

  /** {@code INSERT INTO t (a)} where the other columns are nullable or have defaults. */
  @Override
  public boolean isInsertSubsetColumnsAllowed() {
    return true;
  }

  /** {@code CURRENT_TIMESTAMP()}. */
  @Override
  public boolean allowNiladicParentheses() {
    return true;
  }

  /** {@code CURRENT_TIMESTAMP} without parentheses stays a call. */
  @Override
  public boolean allowNiladicConstantWithoutParentheses() {
    return true;
  }

  @Override
  public SqlLibrary semantics() {
    return SqlLibrary.STANDARD;
  }
}
