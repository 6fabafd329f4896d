package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.modify.Delete;
import org.nelumbo.executor.op.modify.Insert;
import org.nelumbo.executor.op.modify.RowConstraint;
import org.nelumbo.executor.op.modify.Update;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.CatalogTable;
import org.nelumbo.planner.frontend.NextIdentity;
import org.nelumbo.planner.frontend.SqlFrontEnd;

/** Plans INSERT, UPDATE and DELETE. The rows to be changed are read with write locks at once. */
final class ModifyPlanner {
  private final PlanContext context;
  private final InputPlanner inputs;
  private final ConstraintPlanner constraints;

  ModifyPlanner(PlanContext context, InputPlanner inputs) {
    this.context = context;
    this.inputs = inputs;
    this.constraints = new ConstraintPlanner(context);
  }

  /**
   * A planned change.
   *
   * @param row the frame's row that shows the changed rows
   */
  record Modification(
      Plan.CommandType commandType, Operator operator, TableEntry target, int row) {}

  Modification plan(TableModify modify, Insert.OnDuplicate onDuplicate) {
    CatalogTable table = SqlFrontEnd.table(modify.getTable());
    if (!(table.relation() instanceof TableEntry target)) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT,
          table.relation().schemaName()
              + "."
              + table.relation().name()
              + " is a system view and cannot be changed");
    }
    context.use(target);
    return switch (modify.getOperation()) {
      case INSERT -> insert(modify, target, table, onDuplicate);
      case UPDATE -> update(modify, target, table);
      case DELETE -> delete(modify, target);
      default ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED, "MERGE is not supported; use INSERT ... ON CONFLICT");
    };
  }

  private Modification insert(
      TableModify modify, TableEntry target, CatalogTable table, Insert.OnDuplicate onDuplicate) {
    context.setInsertTarget(target);
    RelNode source = uncut(modify.getInput());
    checkIdentity(source, target);
    PlannedRelation input = inputs.plan(source);
    TableDefinition definition = target.definition();
    int count = definition.columns().size();
    int[] columns = new int[count];
    Expression[] values = new Expression[count];
    for (int i = 0; i < count; i++) {
      columns[i] = i;
      values[i] =
          i == definition.hiddenColumn()
              ? new IdentityExpression(definition.columns().get(i).type(), target.sequence())
              : input.columns().get(i);
    }
    int row = context.shape().addRow();
    List<RowConstraint> checks =
        constraints.forWrite(target, table, row, null, null, KnownColumnValues.NONE);
    Operator insert =
        new Insert(
            input.operator(),
            target.store(),
            row,
            new Insert.Definition(
                columns, values, checks.toArray(RowConstraint[]::new), onDuplicate));
    return new Modification(Plan.CommandType.INSERT, insert, target, row);
  }

  /**
   * Takes off the casts that would cut texts to the column's length: what is too long is an error.
   */
  private static RelNode uncut(RelNode source) {
    if (source instanceof Union union) {
      List<RelNode> inputs = union.getInputs().stream().map(ModifyPlanner::uncut).toList();
      return union.copy(union.getTraitSet(), inputs);
    } else if (source instanceof Project project) {
      List<RexNode> expressions = new ArrayList<>();
      project.getProjects().forEach(expression -> expressions.add(uncut(expression)));
      RelDataType rowType =
          RexUtil.createStructType(
              project.getCluster().getTypeFactory(),
              expressions,
              project.getRowType().getFieldNames(),
              null);
      return project.copy(project.getTraitSet(), uncut(project.getInput()), expressions, rowType);
    }
    return source;
  }

  private static RexNode uncut(RexNode expression) {
    boolean cutsText =
        expression.getKind() == SqlKind.CAST
            && ((RexCall) expression).getOperands().getFirst() instanceof RexLiteral
            && SqlTypeUtil.inCharFamily(expression.getType())
            && SqlTypeUtil.inCharFamily(((RexCall) expression).getOperands().getFirst().getType());
    return cutsText ? ((RexCall) expression).getOperands().getFirst() : expression;
  }

  /** GENERATED ALWAYS: nobody else gives the value. */
  private static void checkIdentity(RelNode source, TableEntry target) {
    TableDefinition.IdentityDefinition identity = target.definition().identity();
    if (identity == null || !identity.always()) {
      return;
    }
    boolean generated =
        source instanceof Project project
            && project.getProjects().get(identity.column()) instanceof RexCall call
            && call.getOperator() instanceof NextIdentity;
    if (!generated) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT,
          "column "
              + target.columns().get(identity.column()).name()
              + " is GENERATED ALWAYS and takes no value; leave it out or write DEFAULT");
    }
  }

  private Modification update(TableModify modify, TableEntry target, CatalogTable table) {
    TableScan scan = targetScan(modify);
    context.lockForChange(scan);
    PlannedRelation input = inputs.plan(modify.getInput());
    List<String> names = modify.getUpdateColumnList();
    int[] columns = new int[names.size()];
    Expression[] values = new Expression[names.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = target.schema().ordinal(names.get(i));
      RexNode source = modify.getSourceExpressionList().get(i);
      values[i] =
          source instanceof RexInputRef reference
              ? input.columns().get(reference.getIndex())
              : new RexTranslator(context, input.columns()).translate(source);
    }
    int oldRow = context.rowOf(scan);
    int newRow = context.shape().addRow();
    KnownColumnValues given =
        KnownColumnValues.of(target, input.operator(), oldRow).with(columns, values);
    List<RowConstraint> checks =
        constraints.forWrite(target, table, newRow, oldRow, columns, given);
    Operator update =
        new Update(
            input.operator(),
            target.store(),
            new Update.Definition(
                oldRow, newRow, columns, values, checks.toArray(RowConstraint[]::new)));
    return new Modification(Plan.CommandType.UPDATE, update, target, newRow);
  }

  private Modification delete(TableModify modify, TableEntry target) {
    TableScan scan = targetScan(modify);
    context.lockForChange(scan);
    PlannedRelation input = inputs.plan(modify.getInput());
    int row = context.rowOf(scan);
    List<RowConstraint> checks =
        constraints.forDelete(target, row, KnownColumnValues.of(target, input.operator(), row));
    Operator delete =
        new Delete(input.operator(), target.store(), row, checks.toArray(RowConstraint[]::new));
    return new Modification(Plan.CommandType.DELETE, delete, target, row);
  }

  /** The scan whose rows are changed: the left-most one. */
  private static TableScan targetScan(TableModify modify) {
    RelNode node = modify.getInput();
    while (!(node instanceof TableScan)) {
      node =
          switch (node) {
            case Project project -> project.getInput();
            case Filter filter -> filter.getInput();
            case Join join -> join.getLeft();
            case Correlate correlate -> correlate.getLeft();
            default ->
                throw new NelumboException(
                    ErrorCode.UNSUPPORTED, "the rows to be changed cannot be told");
          };
    }
    return (TableScan) node;
  }

  /** What can be read of the rows changed: all columns users see. */
  static List<Plan.OutputColumn> columns(TableEntry target, int row) {
    List<Plan.OutputColumn> columns = new ArrayList<>();
    RowLayout layout = target.store().layout();
    for (int i = 0; i < target.columns().size(); i++) {
      columns.add(
          new Plan.OutputColumn(
              target.columns().get(i).name(), Expressions.column(row, layout, i)));
    }
    return columns;
  }
}
