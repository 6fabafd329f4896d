package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.TableSpool;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.schema.TransientTable;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.basic.RecursiveUnion;
import org.nelumbo.executor.op.basic.WorkingTableScan;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Plans recursive queries: an initial query, and a step over the rows of the previous step. */
final class RecursionPlanner {
  private static final int STEPS = 10;

  private final PlanContext context;
  private final InputPlanner inputs;

  RecursionPlanner(PlanContext context, InputPlanner inputs) {
    this.context = context;
    this.inputs = inputs;
  }

  PlannedRelation plan(RepeatUnion union) {
    List<RelDataTypeField> fields = union.getRowType().getFieldList();
    int[] slots = new int[fields.size()];
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      ColumnType type = SqlTypes.toColumnType(fields.get(i).getType()).orNull();
      slots[i] = context.shape().addSlot(type);
      columns.add(Expressions.slot(type, slots[i], fields.get(i).getName()));
    }
    int table = context.shape().addSlot(ColumnType.of(Kind.VARCHAR));
    Expression[] saved = columns.toArray(Expression[]::new);
    RelNode step = withWorkingTable(uncovered(union.getIterativeRel()), table, saved);
    PlannedRelation first = inputs.plan(uncovered(union.getSeedRel()));
    PlannedRelation repeated = inputs.plan(step);
    RecursiveUnion.Definition definition =
        new RecursiveUnion.Definition(
            assigned(saved, first),
            assigned(saved, repeated),
            slots,
            union.all ? null : saved,
            table);
    return new PlannedRelation(
        new RecursiveUnion(first.operator(), repeated.operator(), definition),
        columns,
        first.rows() + STEPS * repeated.rows(),
        ProvidedOrder.NONE);
  }

  private static RelNode uncovered(RelNode node) {
    return node instanceof TableSpool spool ? spool.getInput() : node;
  }

  private RelNode withWorkingTable(RelNode step, int table, Expression[] saved) {
    return step.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(TableScan scan) {
            return scan.getTable().unwrap(TransientTable.class) == null
                ? scan
                : scan(scan, table, saved);
          }
        });
  }

  private WorkingTableNode scan(TableScan scan, int table, Expression[] saved) {
    int[] slots = new int[saved.length];
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      slots[i] = context.shape().addSlot(saved[i].type());
      String name = scan.getRowType().getFieldNames().get(i);
      columns.add(Expressions.slot(saved[i].type(), slots[i], name));
    }
    return new WorkingTableNode(
        scan.getCluster(), scan.getRowType(), new WorkingTableScan(table, saved, slots), columns);
  }

  /** A string that is too long is an error. */
  private static Expression[] assigned(Expression[] saved, PlannedRelation part) {
    Expression[] values = new Expression[saved.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Casts.assign(saved[i].type(), part.columns().get(i));
    }
    return values;
  }
}
