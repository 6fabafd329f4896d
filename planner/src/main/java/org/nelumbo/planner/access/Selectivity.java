package org.nelumbo.planner.access;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.access.RangeBound;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.type.NelumboTypeFactory;

/**
 * Estimates the fraction of a table's rows for which conditions hold. Uses histograms for
 * comparisons with known values, else {@link CostModel}. Conditions on different columns count as
 * independent; two bounds of one column form a range.
 */
public final class Selectivity {
  private static final RexBuilder REX = new RexBuilder(NelumboTypeFactory.INSTANCE);

  private final ColumnEstimates estimates;
  private final ConditionFinder finder;
  private boolean needsValues;

  private static final class Range {
    RangeBound lower;
    RangeBound upper;
  }

  /**
   * Creates an estimator for one table.
   *
   * @param finder finds the conditions on its columns
   */
  Selectivity(TableEntry entry, ConditionFinder finder) {
    this.estimates = new ColumnEstimates(entry);
    this.finder = finder;
  }

  /** Returns true if the fraction would differ if all values were known. */
  boolean needsValues() {
    return needsValues;
  }

  /** Returns the fraction of rows for which all conditions hold. */
  double of(List<RexNode> conjuncts) {
    double share = 1;
    Map<Integer, Range> ranges = new HashMap<>();
    List<ColumnCondition> conditions = finder.find(conjuncts);
    for (int i = 0; i < conjuncts.size(); i++) {
      int conjunct = i;
      List<ColumnCondition> own =
          conditions.stream().filter(each -> each.conjunct() == conjunct).toList();
      share *= own.isEmpty() ? other(conjuncts.get(i)) : found(own, ranges);
    }
    for (Map.Entry<Integer, Range> range : ranges.entrySet()) {
      share *= estimates.within(range.getKey(), range.getValue().lower, range.getValue().upper);
    }
    return share;
  }

  private double found(List<ColumnCondition> conditions, Map<Integer, Range> ranges) {
    double share = 1;
    for (ColumnCondition condition : conditions) {
      int column = condition.column();
      if (condition.isLower() || condition.isUpper()) {
        RangeBound bound = new RangeBound(condition.value(), condition.isInclusive());
        Range range = ranges.computeIfAbsent(column, ignored -> new Range());
        range.lower = condition.isLower() ? bound : range.lower;
        range.upper = condition.isUpper() ? bound : range.upper;
        noteUse(column, condition.value(), false);
      } else {
        share = Math.min(share, equal(condition));
      }
    }
    return share;
  }

  private double equal(ColumnCondition condition) {
    int column = condition.column();
    if (condition.values().isEmpty()) {
      return estimates.isNull(column);
    }
    double share = 0;
    for (Expression value : condition.values()) {
      share += estimates.equal(column, value);
      noteUse(column, value, true);
    }
    return Math.min(1, share);
  }

  private void noteUse(int column, Expression value, boolean equality) {
    needsValues |= estimates.needsValue(column, value, equality);
  }

  private double other(RexNode condition) {
    List<RexNode> operands = condition instanceof RexCall call ? call.getOperands() : List.of();
    return switch (condition.getKind()) {
      case AND -> of(operands);
      case OR -> {
        double none = 1;
        for (RexNode alternative : operands) {
          none *= 1 - of(List.of(alternative));
        }
        yield 1 - none;
      }
      case NOT -> 1 - of(operands);
      case NOT_EQUALS -> 1 - of(List.of(asEquality((RexCall) condition)));
      case IS_NOT_NULL -> {
        int column = finder.column(operands.getFirst());
        yield column < 0 ? CostModel.selectivity(condition) : 1 - estimates.isNull(column);
      }
      default -> CostModel.selectivity(condition);
    };
  }

  private static RexNode asEquality(RexCall different) {
    return REX.makeCall(SqlStdOperatorTable.EQUALS, different.getOperands());
  }
}
