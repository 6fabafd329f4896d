package org.nelumbo.planner.relation;

import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.planner.access.Selectivity;

/**
 * The constants by which access paths and the order of joins are compared.
 *
 * <p>Cost is counted in rows that are read: a point read costs 1. Shares are those of conditions of
 * which no sample tells anything, see {@link Selectivity}: values that are not known before the
 * statement runs, expressions, tables of less than a thousand rows. So these numbers decide between
 * plans of clearly different size and are not to be read as predictions. They were chosen by hand,
 * by the plans that the benchmarks and {@code plans/*.test} need, not measured.
 *
 * <pre>
 *  constant               unit               reason
 *  EQUALITY               share of the rows  System R's default for column = value: a tenth
 *  ONE_BOUND              share of the rows  a bound cuts off a little more than half
 *  TWO_BOUNDS             share of the rows  two bounds are about two times one: 0.4 * 0.4
 *  FILTERED               share of the rows  what conditions that no key decides leave
 *  GROUPS                 share of the rows  five rows make a group
 *  LIMITED_ROWS           rows               what LIMIT leaves: a page of results, mostly ten
 *  SORT_FACTOR            factor of cost     sorting in memory is cheap beside reading
 *  LIMITED_FACTOR         factor of cost     LIMIT in index order reads a twentieth of the range
 *  LIMITED_FILTER_FACTOR  factor of cost     the same with conditions that drop rows: a half
 *  FULL_PENALTY           rows               a range that gives as many rows wins over a full scan
 *  LEAST_JOINED           rows               a smaller table counts as this large in a join
 *  UNBOUND_PENALTY        rows               to read, and lock, a table as a whole in a join
 *  LOOKUP                 rows               to find a row by key costs as reading so many in turn
 *  SCATTERED              rows               one of many, not by the primary index
 *  PROBE                  rows               to look into a hash table, or to pass a row on
 *  LEAST_HASHED           rows               for fewer rows keys are looked up: locks are then few
 *  HASH_GAIN              factor of cost     reading a table as a whole has to gain that much
 *  BUSHY_GAIN             factor of cost     what a join of two joins has to gain
 *  SKEWED                 factor of rows     a plan for all values would be wrong for the usual one
 * </pre>
 */
public final class CostModel {
  public static final double EQUALITY = 0.1;
  public static final double ONE_BOUND = 0.4;
  public static final double TWO_BOUNDS = 0.15;
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

  /** The share of rows for which conditions hold that no key decides. */
  public static double selectivity(List<RexNode> conjuncts) {
    double share = 1;
    for (RexNode conjunct : conjuncts) {
      share *= selectivity(conjunct);
    }
    return share;
  }

  /** The share of rows for which a condition holds. */
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
