package org.nelumbo.planner.rex;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/** Splits conditions at their ANDs. */
public final class Conjuncts {
  private Conjuncts() {}

  /** Returns the operands of the ANDs; empty for TRUE. */
  public static List<RexNode> of(RexNode condition) {
    return new ArrayList<>(RelOptUtil.conjunctions(condition));
  }

  public static ImmutableBitSet fields(RexNode node) {
    return RelOptUtil.InputFinder.bits(node);
  }

  /** Returns true if a condition contains a subquery. */
  public static boolean hasSubQuery(RexNode node) {
    return RexUtil.SubQueryFinder.find(node) != null;
  }

  /** Replaces field references by expressions. */
  public static RexNode substitute(RexNode node, List<? extends RexNode> fields) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return fields.get(reference.getIndex());
          }

          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            return super.visitSubQuery(subQuery);
          }
        });
  }

  /**
   * Returns the conditions in evaluation order: comparisons of plain numbers and times come first,
   * because they are cheap and cannot fail.
   */
  public static List<RexNode> cheapFirst(List<RexNode> conjuncts) {
    List<RexNode> ordered = new ArrayList<>(conjuncts.size());
    conjuncts.stream().filter(Conjuncts::isCheap).forEach(ordered::add);
    conjuncts.stream().filter(each -> !isCheap(each)).forEach(ordered::add);
    return ordered;
  }

  private static boolean isCheap(RexNode condition) {
    return switch (condition.getKind()) {
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_NULL,
          IS_NOT_NULL ->
          ((RexCall) condition).getOperands().stream().allMatch(Conjuncts::isPlainNumber);
      default -> false;
    };
  }

  private static boolean isPlainNumber(RexNode operand) {
    RexNode node = LosslessCasts.strip(operand);
    boolean isPlain =
        node instanceof RexInputRef
            || node instanceof RexLiteral
            || node instanceof RexDynamicParam;
    return isPlain
        && (SqlTypeUtil.isNumeric(node.getType()) || SqlTypeUtil.isDatetime(node.getType()));
  }

  /**
   * Renumbers references: those to the outer row become the first fields, those to the inner row
   * follow.
   */
  public static RexNode outward(RexNode node, Set<CorrelationId> variables, int leftCount) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return new RexInputRef(reference.getIndex() + leftCount, reference.getType());
          }

          @Override
          public RexNode visitFieldAccess(RexFieldAccess access) {
            boolean outer =
                access.getReferenceExpr() instanceof RexCorrelVariable variable
                    && variables.contains(variable.id);
            return outer
                ? new RexInputRef(access.getField().getIndex(), access.getType())
                : super.visitFieldAccess(access);
          }
        });
  }

  /** Renumbers field references. */
  public static RexNode shift(RexNode node, int offset) {
    return offset == 0 ? node : RexUtil.shift(node, offset);
  }

  public static boolean isDeterministic(RexNode node) {
    return RexUtil.isDeterministic(node);
  }
}
