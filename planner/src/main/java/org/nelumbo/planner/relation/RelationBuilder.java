package org.nelumbo.planner.relation;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.executor.expr.ColumnReference;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.SlotReference;
import org.nelumbo.executor.op.basic.Projection;
import org.nelumbo.executor.op.basic.RowFilter;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;

/** Adds operators above a planned relation: a filter, or a projection into slots. */
public final class RelationBuilder {
  private static final int LONGEST_NAME = 200;

  private final PlanContext context;

  public RelationBuilder(PlanContext context) {
    this.context = context;
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
