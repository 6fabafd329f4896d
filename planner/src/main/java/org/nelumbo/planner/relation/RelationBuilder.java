package org.nelumbo.planner.relation;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.ColumnReference;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.SlotReference;
import org.nelumbo.executor.op.basic.Projection;
import org.nelumbo.executor.op.basic.RowFilter;
import org.nelumbo.executor.op.basic.ValuesScan;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;

/** Adds operators to planned relations: filters, and projections into slots. */
public final class RelationBuilder {
  private static final int LONGEST_NAME = 200;

  private final PlanContext context;

  public RelationBuilder(PlanContext context) {
    this.context = context;
  }

  /** Returns true if a condition is a constant other than TRUE, so that there are no rows. */
  public boolean neverHold(List<RexNode> conjuncts) {
    return conjuncts.stream().anyMatch(this::neverHolds);
  }

  private boolean neverHolds(RexNode conjunct) {
    if (!RexUtil.isConstant(conjunct)) {
      return conjunct.isAlwaysFalse();
    }
    Expression condition = new RexTranslator(context, List.of()).translate(conjunct);
    return condition.isConstant() && !isTrue(condition);
  }

  private static boolean isTrue(Expression constant) {
    try {
      return constant.isTrue(Frame.ofPlanning());
    } catch (NelumboException e) {
      return true;
    }
  }

  /** Returns a relation without rows. */
  public PlannedRelation empty(List<RelDataTypeField> fields) {
    RowSlots slots = RowSlots.of(context, fields);
    Operator none = new ValuesScan(new Expression[0][], slots.numbers());
    return new PlannedRelation(none, slots.columns(), 1, ProvidedOrder.SINGLE);
  }

  /** Adds a filter for the remaining conditions. */
  public PlannedRelation filter(PlannedRelation input, List<RexNode> conjuncts) {
    Expression condition = new RexTranslator(context, input.columns()).conjunction(conjuncts);
    if (condition == null) {
      return input;
    }
    Operator filter = new RowFilter(input.operator(), condition);
    return input.withOperator(filter).withRows(Math.max(1, input.rows() * CostModel.FILTERED));
  }

  /**
   * Copies the columns of a relation into slots, so that an outer join above it can set them to
   * NULL.
   */
  public PlannedRelation materialize(PlannedRelation input) {
    boolean plain =
        input.columns().stream()
            .allMatch(
                column -> column instanceof ColumnReference || column instanceof SlotReference);
    if (plain) {
      return input;
    }
    int[] slots = new int[input.columns().size()];
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      Expression column = input.columns().get(i);
      slots[i] = context.shape().addSlot(column.type());
      columns.add(Expressions.slot(column.type(), slots[i], shortText(column)));
    }
    Operator project =
        new Projection(input.operator(), input.columns().toArray(Expression[]::new), slots);
    return new PlannedRelation(
        project, columns, input.rows(), input.order().copied(input.columns(), columns));
  }

  /** Names of nested slots would grow without limit otherwise. */
  private static String shortText(Expression column) {
    String text = column.toString();
    return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "...";
  }
}
