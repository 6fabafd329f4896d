package org.nelumbo.planner.relation;

import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.planner.access.Selectivity;

/**
 * Constants for the comparison of access paths and join orders.
 *
 * <p>Cost is measured in rows read: a point read costs 1. Selectivities apply to conditions without
 * statistics, see {@link Selectivity}: values that are unknown before the statement runs,
 * expressions, and tables of less than a thousand rows. These numbers distinguish plans of clearly
 * different size and are not predictions. They were chosen by hand, for the plans that the
 * benchmarks and {@code plans/*.test} need, and not measured.
 *
 * <pre>
 * constant                unit              reason
 * EQUALITY                fraction of rows  System R's default for column = value: a tenth
 * ONE_BOUND               fraction of rows  a bound excludes a little more than half
 * TWO_BOUNDS              fraction of rows  about ONE_BOUND twice: 0.4 * 0.4
 * UNKNOWN_RANGE           fraction of rows  TWO_BOUNDS in a large table, as in PostgreSQL: pages of it
 * GUESSED                 factor of rows    rows may be that many more if a value is not known
 * FILTERED                fraction of rows  kept by conditions that no key decides
 * GROUPS                  fraction of rows  five rows form a group
 * LIMITED_ROWS            rows              kept by LIMIT: a page of results, mostly ten
 * SORT_FACTOR             factor of cost    sorting in memory is cheap compared with reading
 * LIMITED_FACTOR          factor of cost    LIMIT in index order reads a twentieth of the range
 * LIMITED_FILTER_FACTOR   factor of cost    half of it if conditions drop rows
 * FULL_PENALTY            rows              a range of equal size is preferred to a full scan
 * LEAST_JOINED            rows              a smaller table counts as this large in a join
 * UNBOUND_PENALTY         rows              reading, and locking, a whole table in a join
 * LOOKUP                  rows              finding a row by key costs as much as reading these
 * SCATTERED               rows              one of many rows, not read by the primary index
 * PROBE                   rows              a lookup in a hash table, or passing a row on
 * LEAST_HASHED            rows              fewer rows use lookups by key, which lock few rows
 * HASH_GAIN               factor of cost    minimum gain of reading a whole table
 * BUSHY_GAIN              factor of cost    minimum gain of a bushy join
 * SKEWED                  factor of rows    a plan for all values would be wrong for common ones
 * </pre>
 */
public final class CostModel {
  public static final double EQUALITY = 0.1;
  public static final double ONE_BOUND = 0.4;
  public static final double TWO_BOUNDS = 0.15;
  public static final double UNKNOWN_RANGE = 0.005;
  public static final double GUESSED = 30;
  static final double FILTERED = 0.3;
  public static final double GROUPS = 0.2;
  public static final double LIMITED_ROWS = 10;

  public static final double SORT_FACTOR = 1.2;
  public static final double LIMITED_FACTOR = 0.05;
  public static final double LIMITED_FILTER_FACTOR = 0.5;

  public static final double FULL_PENALTY = 5;
  public static final double LEAST_JOINED = 100;
  public static final double UNBOUND_PENALTY = 1_000;
  public static final double LOOKUP = 3;
  public static final double SCATTERED = 2;
  public static final double PROBE = 0.5;
  public static final double LEAST_HASHED = 1_000;
  public static final double HASH_GAIN = 2;
  public static final double BUSHY_GAIN = 1.2;
  public static final double SKEWED = 4;

  private CostModel() {}

  /** Returns the fraction of rows for which conditions hold that no key decides. */
  public static double selectivity(List<RexNode> conjuncts) {
    double share = 1;
    for (RexNode conjunct : conjuncts) {
      share *= selectivity(conjunct);
    }
    return share;
  }

  /** Returns the fraction of rows for which a condition holds. */
  public static double selectivity(RexNode condition) {
    return switch (condition.getKind()) {
      case EQUALS, IS_NULL, LIKE -> EQUALITY;
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> ONE_BOUND;
      case NOT_EQUALS, IS_NOT_NULL -> 1 - EQUALITY;
      case AND -> selectivity(((RexCall) condition).getOperands());
      case OR -> {
        double sum = 0;
        for (RexNode alternative : ((RexCall) condition).getOperands()) {
          sum += selectivity(alternative);
        }
        yield Math.min(sum, 1 - EQUALITY);
      }
      case NOT -> 1 - selectivity(((RexCall) condition).getOperands().getFirst());
      default -> FILTERED;
    };
  }
}
