package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.Distinct;
import org.nelumbo.executor.op.Operator;
import org.nelumbo.executor.op.SetOperation;
import org.nelumbo.executor.op.SingleRow;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.planner.sql.SqlTypes;

/** Plans VALUES, UNION, INTERSECT and EXCEPT: relations whose columns are slots of their own. */
final class SetPlanner {
  private final PlanContext context;
  private final RelPlanner planner;

  SetPlanner(PlanContext context, RelPlanner planner) {
    this.context = context;
    this.planner = planner;
  }

  /** Slots for the fields of a relation. */
  private record Slots(int[] numbers, List<ColumnType> types, List<Expression> columns) {
    Expression[] cast(List<Expression> row) {
      Expression[] cast = new Expression[numbers.length];
      for (int i = 0; i < cast.length; i++) {
        cast[i] = Casts.cast(types.get(i), row.get(i));
      }
      return cast;
    }
  }

  private Slots slots(RelNode node) {
    List<RelDataTypeField> fields = node.getRowType().getFieldList();
    int[] numbers = new int[fields.size()];
    List<ColumnType> types = new ArrayList<>();
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      ColumnType type = SqlTypes.toColumnType(fields.get(i).getType()).orNull();
      numbers[i] = context.shape().addSlot(type);
      types.add(type);
      columns.add(Expressions.slot(type, numbers[i], fields.get(i).getName()));
    }
    return new Slots(numbers, types, columns);
  }

  /** No rows. */
  Physical empty(RelNode node) {
    Slots slots = slots(node);
    Operator none = new org.nelumbo.executor.op.Values(new Expression[0][], slots.numbers);
    return new Physical(none, slots.columns, 1, true);
  }

  Physical values(Values values) {
    if (values.getTuples().isEmpty()) {
      return empty(values);
    }
    List<List<Expression>> rows = new ArrayList<>();
    RexTranslator translator = new RexTranslator(context, List.of());
    values.getTuples().forEach(tuple -> rows.add(translator.translateAll(tuple)));
    if (rows.size() == 1) {
      return new Physical(RelPlanner.singleRow(), rows.getFirst(), 1, true);
    }
    return rows(rows, slots(values));
  }

  private static Physical rows(List<List<Expression>> rows, Slots slots) {
    Expression[][] cast = rows.stream().map(slots::cast).toArray(Expression[][]::new);
    Operator operator = new org.nelumbo.executor.op.Values(cast, slots.numbers);
    return new Physical(operator, slots.columns, rows.size(), false);
  }

  Physical plan(SetOp node, List<RexNode> conjuncts) {
    List<Physical> inputs = new ArrayList<>();
    for (RelNode input : node.getInputs()) {
      inputs.add(planner.plan(input, conjuncts, Wanted.NOTHING));
    }
    if (node instanceof Union) {
      return union(node, inputs);
    }
    Physical result = inputs.getFirst();
    for (int i = 1; i < inputs.size(); i++) {
      result = combined(node, result, inputs.get(i));
    }
    return result;
  }

  private Physical union(SetOp node, List<Physical> inputs) {
    Slots slots = slots(node);
    boolean constant = inputs.stream().allMatch(input -> input.operator() instanceof SingleRow);
    Physical all =
        constant
            ? rows(inputs.stream().map(Physical::columns).toList(), slots)
            : concatenated(inputs, slots);
    if (node.all) {
      return all;
    }
    return all.withOperator(new Distinct(all.operator(), RelPlanner.array(slots.columns)));
  }

  private static Physical concatenated(List<Physical> inputs, Slots slots) {
    Expression[][] columns =
        inputs.stream().map(input -> slots.cast(input.columns())).toArray(Expression[][]::new);
    Operator union =
        new org.nelumbo.executor.op.Union(
            inputs.stream().map(Physical::operator).toList(), columns, slots.numbers);
    double rows = inputs.stream().mapToDouble(Physical::rows).sum();
    return new Physical(union, slots.columns, rows, false);
  }

  private Physical combined(SetOp node, Physical left, Physical right) {
    Slots slots = slots(node);
    SetOperation.Definition definition =
        new SetOperation.Definition(
            node instanceof Minus
                ? SetOperation.Operation.EXCEPT
                : SetOperation.Operation.INTERSECT,
            node.all,
            slots.cast(left.columns()),
            slots.cast(right.columns()),
            slots.numbers);
    Operator operator = new SetOperation(left.operator(), right.operator(), definition);
    return new Physical(operator, slots.columns, left.rows(), false);
  }
}
