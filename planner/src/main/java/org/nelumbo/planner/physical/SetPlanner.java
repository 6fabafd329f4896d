package org.nelumbo.planner.physical;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.basic.Distinct;
import org.nelumbo.executor.op.basic.SetOperation;
import org.nelumbo.executor.op.basic.SingleRow;
import org.nelumbo.executor.op.basic.UnionAll;
import org.nelumbo.executor.op.basic.ValuesScan;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.relation.RowSlots;
import org.nelumbo.planner.rex.ColumnLists;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.type.SqlTypes;

/** Plans VALUES, UNION, INTERSECT and EXCEPT, whose columns have slots of their own. */
final class SetPlanner {
  private final PlanContext context;
  private final InputPlanner inputs;

  SetPlanner(PlanContext context, InputPlanner inputs) {
    this.context = context;
    this.inputs = inputs;
  }

  private RowSlots slots(RelNode node) {
    return RowSlots.of(context, node.getRowType().getFieldList());
  }

  PlannedRelation values(Values values) {
    if (values.getTuples().isEmpty()) {
      return new RelationBuilder(context).empty(values.getRowType().getFieldList());
    }
    List<List<Expression>> rows = new ArrayList<>();
    RexTranslator translator = new RexTranslator(context, List.of());
    values.getTuples().forEach(tuple -> rows.add(translator.translateAll(tuple)));
    if (rows.size() == 1) {
      return new PlannedRelation(new SingleRow(), rows.getFirst(), 1, ProvidedOrder.SINGLE);
    }
    return rows(rows, slots(values));
  }

  private static PlannedRelation rows(List<List<Expression>> rows, RowSlots slots) {
    Expression[][] cast = rows.stream().map(slots::cast).toArray(Expression[][]::new);
    Operator operator = new ValuesScan(cast, slots.numbers());
    return new PlannedRelation(operator, slots.columns(), rows.size(), ProvidedOrder.NONE);
  }

  PlannedRelation plan(SetOp node, List<RexNode> conjuncts) {
    List<PlannedRelation> planned = new ArrayList<>();
    for (RelNode input : node instanceof Union union ? inputs(union) : node.getInputs()) {
      planned.add(inputs.plan(input, conjuncts, RequiredOrder.NOTHING));
    }
    if (node instanceof Union) {
      return union(node, planned);
    }
    PlannedRelation result = planned.getFirst();
    for (int i = 1; i < planned.size(); i++) {
      result = combined(node, result, planned.get(i));
    }
    return result;
  }

  /** Nested unions of the same kind and row type are flattened. */
  private static List<RelNode> inputs(Union union) {
    List<RelNode> flat = new ArrayList<>();
    Deque<RelNode> todo = new ArrayDeque<>();
    todo.push(union);
    while (!todo.isEmpty()) {
      RelNode next = todo.pop();
      boolean same =
          next instanceof Union inner
              && inner.all == union.all
              && SqlTypes.areEqual(inner.getRowType(), union.getRowType());
      if (next == union || same) {
        next.getInputs().reversed().forEach(todo::push);
      } else {
        flat.add(next);
      }
    }
    return flat;
  }

  private PlannedRelation union(SetOp node, List<PlannedRelation> inputs) {
    RowSlots slots = slots(node);
    boolean constant = inputs.stream().allMatch(input -> input.operator() instanceof SingleRow);
    PlannedRelation all =
        constant
            ? rows(inputs.stream().map(PlannedRelation::columns).toList(), slots)
            : concatenated(inputs, slots);
    if (node.all) {
      return all;
    }
    return all.withOperator(new Distinct(all.operator(), ColumnLists.array(slots.columns())));
  }

  private static PlannedRelation concatenated(List<PlannedRelation> inputs, RowSlots slots) {
    Expression[][] columns =
        inputs.stream().map(input -> slots.cast(input.columns())).toArray(Expression[][]::new);
    Operator union =
        new UnionAll(
            inputs.stream().map(PlannedRelation::operator).toList(), columns, slots.numbers());
    double rows = inputs.stream().mapToDouble(PlannedRelation::rows).sum();
    return new PlannedRelation(union, slots.columns(), rows, ProvidedOrder.NONE);
  }

  private PlannedRelation combined(SetOp node, PlannedRelation left, PlannedRelation right) {
    RowSlots slots = slots(node);
    SetOperation.Definition definition =
        new SetOperation.Definition(
            node instanceof Minus
                ? SetOperation.Operation.EXCEPT
                : SetOperation.Operation.INTERSECT,
            node.all,
            slots.cast(left.columns()),
            slots.cast(right.columns()),
            slots.numbers());
    Operator operator = new SetOperation(left.operator(), right.operator(), definition);
    return new PlannedRelation(operator, slots.columns(), left.rows(), ProvidedOrder.NONE);
  }
}
