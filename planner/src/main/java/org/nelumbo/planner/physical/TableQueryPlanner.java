package org.nelumbo.planner.physical;

import java.util.List;
import org.apache.calcite.rex.RexInputRef;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.plain.TableQuery;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;

/**
 * Plans a query of one table without a relational tree. The plan is the one that {@link RelPlanner}
 * makes of its tree: a sort of a projection of a filter of a scan.
 */
final class TableQueryPlanner {
  private final PlanContext context;

  TableQueryPlanner(PlanContext context) {
    this.context = context;
  }

  PlannedRelation plan(TableQuery query) {
    context.enter();
    List<RequiredOrder.Key> keys = RelPlanner.keys(query.order());
    RequiredOrder order =
        new RequiredOrder(keys, null)
            .mapped(
                column ->
                    query.columns().get(column) instanceof RexInputRef ref ? ref.getIndex() : -1);
    PlannedRelation rows =
        new ScanPlanner(context)
            .plan(query.table(), query.table(), Conjuncts.of(query.condition()), order);
    if (!order.isOrdered() || !rows.isOrderedBy(order.keys())) {
      rows = rows.unsorted();
    }
    if (context.growthLimit().areTooMuch(query.columns(), rows.columns())) {
      rows = new RelationBuilder(context).materialize(rows);
    }
    List<Expression> columns =
        new RexTranslator(context, rows.columns()).translateAll(query.columns());
    context.growthLimit().note(columns, query.columns(), rows.columns());
    context.leave();
    return RelPlanner.sorted(rows.withColumns(columns), keys, null, null);
  }
}
