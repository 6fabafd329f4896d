package org.nelumbo.planner.subquery;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.basic.SharedQueries;
import org.nelumbo.executor.op.basic.SharedQueryScan;
import org.nelumbo.planner.convert.SharedQueryNode;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.rex.ColumnLists;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Plans queries of WITH that are run once and read at several references. */
public final class SharedQueryPlanner {
  private final PlanContext context;
  private final InputPlanner inputs;

  /** Definitions planned since {@link #finished} was last called. */
  private final List<SharedQueries.Definition> definitions = new ArrayList<>();

  private final IdentityHashMap<Object, Saved> known = new IdentityHashMap<>();

  private record Saved(SharedQueries.Definition definition, Expression[] columns, double rows) {}

  public SharedQueryPlanner(PlanContext context, InputPlanner inputs) {
    this.context = context;
    this.inputs = inputs;
  }

  /** Plans a reference that reads the rows, and the query itself at its first reference. */
  public PlannedRelation plan(SharedQueryNode node) {
    Saved saved = known.get(node.key());
    if (saved == null) {
      saved = define(node);
      known.put(node.key(), saved);
    }
    int[] slots = new int[saved.columns.length];
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      ColumnType type = saved.columns[i].type();
      slots[i] = context.shape().addSlot(type);
      columns.add(Expressions.slot(type, slots[i], node.getRowType().getFieldNames().get(i)));
    }
    SharedQueryScan scan =
        new SharedQueryScan(node.name(), saved.definition.index(), saved.columns, slots);
    return new PlannedRelation(scan, columns, saved.rows, ProvidedOrder.NONE);
  }

  private Saved define(SharedQueryNode node) {
    PlannedRelation query = inputs.plan(node.getInput());
    int[] slots = new int[query.columns().size()];
    Expression[] columns = new Expression[slots.length];
    for (int i = 0; i < slots.length; i++) {
      ColumnType type = query.columns().get(i).type();
      slots[i] = context.shape().addSlot(type);
      columns[i] = Expressions.slot(type, slots[i], node.getRowType().getFieldNames().get(i));
    }
    SharedQueries.Definition definition =
        new SharedQueries.Definition(
            node.name(),
            query.operator(),
            ColumnLists.array(query.columns()),
            slots,
            context.shape().addSlot(ColumnType.of(Kind.VARCHAR)));
    definitions.add(definition);
    return new Saved(definition, columns, query.rows());
  }

  /** Wraps a statement, or a part of one, in the definitions of the queries that it reads. */
  public PlannedRelation finished(PlannedRelation planned) {
    if (definitions.isEmpty()) {
      return planned;
    }
    SharedQueries operator = new SharedQueries(definitions, planned.operator());
    definitions.clear();
    known.clear();
    return planned.withOperator(operator);
  }
}
