package org.nelumbo.planner.modify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.access.IndexRangeScan;
import org.nelumbo.executor.op.access.PointGet;
import org.nelumbo.executor.op.basic.Distinct;
import org.nelumbo.executor.op.basic.SingleRow;
import org.nelumbo.executor.op.basic.ValuesScan;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.modify.ConflictResolution;
import org.nelumbo.executor.op.modify.Delete;
import org.nelumbo.executor.op.modify.Insert;
import org.nelumbo.executor.op.modify.Merge;
import org.nelumbo.executor.op.modify.RowConstraint;
import org.nelumbo.executor.op.modify.Update;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.parser.ast.MergeClause;
import org.nelumbo.parser.ast.MergeInto;
import org.nelumbo.parser.ast.Overriding;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.ChangeQueries;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.plain.TableChange;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.LockedRowsNode;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.IdentityExpression;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.schema.EngineValue;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Plans INSERT, UPDATE, DELETE and MERGE. The rows to be changed are locked for writing when they
 * are read.
 */
public final class ModifyPlanner {
  private final PlanContext context;
  private final InputPlanner inputs;
  private final ConstraintPlanner constraints;

  public ModifyPlanner(PlanContext context, InputPlanner inputs) {
    this.context = context;
    this.inputs = inputs;
    this.constraints = new ConstraintPlanner(context);
  }

  /**
   * A planned change.
   *
   * @param row the frame's row with the changed rows
   */
  public record Modification(
      Plan.CommandType commandType, Operator operator, TableEntry target, int row) {}

  /**
   * Returns the target table of a change.
   *
   * @throws NelumboException if it is a system view
   */
  public static TableEntry changeable(CatalogTable table) {
    if (table.relation() instanceof TableEntry target) {
      return target;
    }
    throw new NelumboException(
        ErrorCode.INVALID_STATEMENT,
        table.relation().schemaName()
            + "."
            + table.relation().name()
            + " is a system view and cannot be changed");
  }

  /**
   * Plans a change that Calcite supports.
   *
   * @param overriding the OVERRIDING clause of an INSERT; null if there is none
   */
  public Modification plan(TableModify modify, Overriding overriding) {
    CatalogTable table = SqlFrontEnd.table(modify.getTable());
    TableEntry target = changeable(table);
    context.use(target);
    return switch (modify.getOperation()) {
      case INSERT -> insert(modify, target, table, null, overriding);
      case UPDATE -> update(modify, target, table);
      case DELETE -> delete(modify, target);
      default -> throw new IllegalStateException("operation=" + modify.getOperation());
    };
  }

  /**
   * The ON CONFLICT clause.
   *
   * @param key the conflict key
   * @param update the condition and then the values of DO UPDATE, over the existing row and the new
   *     one; null for DO NOTHING
   * @param columns assigned columns of DO UPDATE; null for DO NOTHING
   */
  public record OnConflict(ConflictKeys.Key key, Project update, int[] columns) {}

  /** Plans INSERT ... ON CONFLICT. */
  public Modification insert(TableModify modify, OnConflict conflict, Overriding overriding) {
    CatalogTable table = SqlFrontEnd.table(modify.getTable());
    TableEntry target = changeable(table);
    context.use(target);
    return insert(modify, target, table, conflict, overriding);
  }

  /** Plans an INSERT of rows, given the values of their visible columns. */
  public Modification insertRows(CatalogTable table, TableEntry target, List<List<RexNode>> rows) {
    context.use(target);
    context.setInsertTarget(target);
    RexTranslator translator = new RexTranslator(context, List.of());
    if (rows.size() == 1) {
      List<Expression> values = translator.translateAll(rows.getFirst());
      return inserted(new SingleRow(), values, target, table, null);
    }
    int count = target.columns().size();
    ColumnType[] types = new ColumnType[count];
    int[] slots = new int[count];
    List<Expression> columns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      types[i] = target.columns().get(i).type().orNull();
      slots[i] = context.shape().addSlot(types[i]);
      columns.add(Expressions.slot(types[i], slots[i], target.columns().get(i).name()));
    }
    Expression[][] values = new Expression[rows.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = translator.translateAll(rows.get(i)).toArray(Expression[]::new);
      for (int j = 0; j < count; j++) {
        values[i][j] = Casts.assign(types[j], values[i][j]);
      }
    }
    return inserted(new ValuesScan(values, slots), columns, target, table, null);
  }

  private Modification insert(
      TableModify modify,
      TableEntry target,
      CatalogTable table,
      OnConflict conflict,
      Overriding overriding) {
    context.setInsertTarget(target);
    RelNode source = modify.getInput();
    checkGenerated(source, target);
    if (overriding == null) {
      checkIdentity(source, target);
    }
    context.setStored(source);
    PlannedRelation input = inputs.plan(source);
    List<Expression> given = new ArrayList<>(input.columns());
    if (overriding == Overriding.USER_VALUE) {
      for (TableDefinition.IdentityDefinition identity : target.definition().identities()) {
        int column = identity.column();
        if (column < given.size()) {
          ColumnType type = target.columns().get(column).type();
          given.set(column, new IdentityExpression(type, target.sequence(column)));
        }
      }
    }
    return inserted(input.operator(), given, target, table, conflict);
  }

  private Modification inserted(
      Operator source,
      List<Expression> given,
      TableEntry target,
      CatalogTable table,
      OnConflict conflict) {
    TableDefinition definition = target.definition();
    int count = definition.columns().size();
    int[] columns = new int[count];
    Expression[] values = new Expression[count];
    for (int i = 0; i < count; i++) {
      columns[i] = i;
      values[i] =
          i == definition.hiddenColumn()
              ? IdentityExpression.hidden(definition.columns().get(i).type(), target.sequence(i))
              : i < given.size() ? given.get(i) : null;
    }
    int row = context.shape().addRow();
    GeneratedValues all = GeneratedValues.ofInsert(context, target, row, columns, values);
    List<RowConstraint> checks =
        constraints.forWrite(target, table, row, null, null, KnownColumnValues.NONE);
    RowConstraint[] constraintArray = checks.toArray(RowConstraint[]::new);
    boolean skips = conflict != null && conflict.key.any() && conflict.update == null;
    Insert.Definition insert =
        conflict == null || skips
            ? new Insert.Definition(
                all.columns(),
                all.values(),
                constraintArray,
                skips ? Insert.OnDuplicate.SKIP : Insert.OnDuplicate.FAIL)
            : new Insert.Definition(
                all.columns(),
                all.values(),
                constraintArray,
                Insert.OnDuplicate.RESOLVE,
                resolution(target, table, conflict, row),
                0);
    return new Modification(
        Plan.CommandType.INSERT,
        new Insert(source, target.store(), row, insert.withGenerated(all.count())),
        target,
        row);
  }

  private ConflictResolution resolution(
      TableEntry target, CatalogTable table, OnConflict conflict, int row) {
    TableStore store = target.store();
    IndexStore key = conflict.key.index();
    int oldRow = context.shape().addRow();
    Operator existing = existing(target, key, oldRow, row);
    if (conflict.update == null) {
      return new ConflictResolution(store, key, existing, null);
    }
    List<Expression> fields = new ArrayList<>();
    columns(target, oldRow).forEach(column -> fields.add(column.expression()));
    columns(target, row).forEach(column -> fields.add(column.expression()));
    context.setInsertTarget(target);
    List<Expression> values =
        new RexTranslator(context, fields).translateAll(conflict.update.getProjects());
    Update.Definition update =
        assignment(target, table, oldRow, conflict.columns, values.subList(1, values.size()));
    return new ConflictResolution(
        store, key, existing, new ConflictResolution.Action(update, values.getFirst()));
  }

  private static Operator existing(TableEntry target, IndexStore key, int row, int newRow) {
    int[] columns = key == null ? target.schema().primaryKey() : key.schema().columns();
    Expression[] values = new Expression[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Expressions.column(newRow, target.store().layout(), columns[i]);
    }
    if (key == null) {
      return new PointGet(target.store(), row, values, LockMode.WRITE);
    }
    Expression one = Expressions.literal(ColumnType.of(Kind.BIGINT), 1L);
    return new IndexRangeScan(
        key, row, IndexRangeScan.Definition.prefix(values, one, LockMode.WRITE));
  }

  private Update.Definition assignment(
      TableEntry target, CatalogTable table, int oldRow, int[] columns, List<Expression> values) {
    int newRow = context.shape().addRow();
    GeneratedValues all =
        GeneratedValues.with(context, target, newRow, columns, values.toArray(Expression[]::new));
    List<RowConstraint> checks =
        constraints.forWrite(target, table, newRow, oldRow, all.columns(), KnownColumnValues.NONE);
    return new Update.Definition(
        oldRow,
        newRow,
        all.columns(),
        all.values(),
        checks.toArray(RowConstraint[]::new),
        all.count());
  }

  /**
   * Plans UPDATE ... FROM. A row that is joined to several others is updated once.
   *
   * @param query the rows of the table, which is the leftmost of the join, and the new values
   */
  public Modification updateFrom(
      CatalogTable table, TableEntry target, RelNode query, int[] columns) {
    context.use(target);
    context.setInsertTarget(target);
    TableScan scan = leftmost(query);
    context.lockForChange(scan);
    context.setStored(query);
    PlannedRelation input = inputs.plan(query);
    int first = target.columns().size();
    List<Expression> values = input.columns().subList(first, first + columns.length);
    Update.Definition update = assignment(target, table, context.rowOf(scan), columns, values);
    Operator each = new Distinct(input.operator(), key(target, update.oldRow()));
    return new Modification(
        Plan.CommandType.UPDATE, new Update(each, target.store(), update), target, update.newRow());
  }

  private static Expression[] key(TableEntry target, int row) {
    return Arrays.stream(target.schema().primaryKey())
        .mapToObj(column -> Expressions.column(row, target.store().layout(), column))
        .toArray(Expression[]::new);
  }

  /**
   * Plans DELETE ... USING.
   *
   * @param query the rows of the table, which is the leftmost of the join
   */
  public Modification deleteUsing(TableEntry target, RelNode query) {
    context.use(target);
    TableScan scan = leftmost(query);
    context.lockForChange(scan);
    PlannedRelation input = inputs.plan(query);
    int row = context.rowOf(scan);
    Operator each = new Distinct(input.operator(), key(target, row));
    return new Modification(
        Plan.CommandType.DELETE,
        new Delete(each, target.store(), row, deleteChecks(target, row)),
        target,
        row);
  }

  private RowConstraint[] deleteChecks(TableEntry target, int row) {
    return constraints.forDelete(target, row, KnownColumnValues.NONE).toArray(RowConstraint[]::new);
  }

  /**
   * Plans MERGE.
   *
   * @param query a query of {@link ChangeQueries}
   */
  public Modification merge(
      CatalogTable table,
      TableEntry target,
      RelNode query,
      MergeInto merge,
      ChangeQueries queries) {
    context.use(target);
    context.setInsertTarget(target);
    TableScan scan = joined(query);
    context.lockForChange(scan);
    context.setStored(query);
    PlannedRelation input = inputs.plan(query);
    int tableRow = context.rowOf(scan);
    int resultRow = context.shape().addRow();
    int width = target.columns().size();
    int next = width;
    List<Merge.Clause> clauses = new ArrayList<>();
    for (SqlNode node : merge.clauses()) {
      MergeClause clause = (MergeClause) node;
      Expression condition = input.columns().get(next++);
      Operator change = null;
      int row = tableRow;
      switch (clause.action()) {
        case UPDATE -> {
          int[] columns = queries.columns(clause.columns());
          List<Expression> values = input.columns().subList(next, next + columns.length);
          Update.Definition update = assignment(target, table, tableRow, columns, values);
          change = new Update(new SingleRow(), target.store(), update);
          row = update.newRow();
          next += columns.length;
        }
        case DELETE ->
            change =
                new Delete(
                    new SingleRow(), target.store(), tableRow, deleteChecks(target, tableRow));
        case INSERT -> {
          List<Expression> values = input.columns().subList(next, next + width);
          Modification insert = inserted(new SingleRow(), values, target, table, null);
          change = insert.operator();
          row = insert.row();
          next += width;
        }
        case NOTHING -> {}
      }
      clauses.add(
          new Merge.Clause(
              clause.matched(), clause.condition() == null ? null : condition, change, row));
    }
    Operator operator = new Merge(input.operator(), target.store(), tableRow, resultRow, clauses);
    return new Modification(Plan.CommandType.MERGE, operator, target, resultRow);
  }

  private static TableScan joined(RelNode query) {
    RelNode node = query;
    while (!(node instanceof Join join)) {
      if (node.getInputs().size() != 1) {
        throw untold();
      }
      node = node.getInput(0);
    }
    return leftmost(join.getRight());
  }

  private static void checkGenerated(RelNode source, TableEntry target) {
    for (GeneratedDefinition generated : target.definition().generated()) {
      boolean visible = generated.column() < target.columns().size();
      if (visible && !isGenerated(source, generated.column())) {
        throw new NelumboException(
            ErrorCode.INVALID_STATEMENT,
            "column "
                + target.columns().get(generated.column()).name()
                + " is generated and takes no value; leave it out or write DEFAULT");
      }
    }
  }

  private static void checkIdentity(RelNode source, TableEntry target) {
    for (TableDefinition.IdentityDefinition identity : target.definition().identities()) {
      if (identity.always() && !isGenerated(source, identity.column())) {
        throw new NelumboException(
            ErrorCode.INVALID_STATEMENT,
            "column "
                + target.columns().get(identity.column()).name()
                + " is GENERATED ALWAYS and takes no value; leave it out, write DEFAULT, or"
                + " OVERRIDING SYSTEM VALUE before VALUES");
      }
    }
  }

  private static boolean isGenerated(RelNode source, int column) {
    if (source instanceof Union union) {
      return union.getInputs().stream().allMatch(input -> isGenerated(input, column));
    }
    if (!(source instanceof Project project)) {
      return false;
    }
    RexNode value = RexUtil.removeCast(project.getProjects().get(column));
    return value instanceof RexInputRef reference
        ? isGenerated(project.getInput(), reference.getIndex())
        : value instanceof RexCall call && call.getOperator() instanceof EngineValue;
  }

  private Modification update(TableModify modify, TableEntry target, CatalogTable table) {
    context.setInsertTarget(target);
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
    return updated(input, context.rowOf(scan), target, table, columns, values);
  }

  /** Plans an UPDATE or DELETE without a relational tree. */
  public Modification change(CatalogTable table, TableEntry target, TableChange change) {
    context.use(target);
    context.lockForChange(target);
    if (!change.isDelete()) {
      context.setInsertTarget(target);
    }
    PlannedRelation rows =
        new ScanPlanner(context)
            .plan(target, target, Conjuncts.of(change.condition()), RequiredOrder.NOTHING)
            .unsorted();
    int row = context.rowOf(target);
    if (change.isDelete()) {
      return deleted(rows, row, target);
    }
    List<Expression> values =
        new RexTranslator(context, rows.columns()).translateAll(change.values());
    return updated(rows, row, target, table, change.columns(), values.toArray(Expression[]::new));
  }

  private Modification updated(
      PlannedRelation input,
      int oldRow,
      TableEntry target,
      CatalogTable table,
      int[] columns,
      Expression[] values) {
    int newRow = context.shape().addRow();
    KnownColumnValues given =
        KnownColumnValues.of(target, input.operator(), oldRow).with(columns, values);
    GeneratedValues all = GeneratedValues.with(context, target, newRow, columns, values);
    List<RowConstraint> checks =
        constraints.forWrite(target, table, newRow, oldRow, all.columns(), given);
    Operator update =
        new Update(
            input.operator(),
            target.store(),
            new Update.Definition(
                oldRow,
                newRow,
                all.columns(),
                all.values(),
                checks.toArray(RowConstraint[]::new),
                all.count()));
    return new Modification(Plan.CommandType.UPDATE, update, target, newRow);
  }

  private Modification delete(TableModify modify, TableEntry target) {
    TableScan scan = targetScan(modify);
    context.lockForChange(scan);
    PlannedRelation input = inputs.plan(modify.getInput());
    return deleted(input, context.rowOf(scan), target);
  }

  private Modification deleted(PlannedRelation input, int row, TableEntry target) {
    List<RowConstraint> checks =
        constraints.forDelete(target, row, KnownColumnValues.of(target, input.operator(), row));
    Operator delete =
        new Delete(input.operator(), target.store(), row, checks.toArray(RowConstraint[]::new));
    return new Modification(Plan.CommandType.DELETE, delete, target, row);
  }

  private static TableScan targetScan(TableModify modify) {
    return leftmost(modify.getInput());
  }

  private static TableScan leftmost(RelNode query) {
    RelNode node = query;
    while (!(node instanceof TableScan)) {
      node =
          switch (node) {
            case Project project -> project.getInput();
            case Filter filter -> filter.getInput();
            case LockedRowsNode locked -> locked.getInput();
            case Join join -> join.getLeft();
            case Correlate correlate -> correlate.getLeft();
            default -> throw untold();
          };
    }
    return (TableScan) node;
  }

  private static NelumboException untold() {
    return new NelumboException(
        ErrorCode.UNSUPPORTED,
        "the rows to be changed cannot be determined; use a simpler condition");
  }

  /** Returns the columns of the changed rows that can be read: all visible ones. */
  public static List<Plan.OutputColumn> columns(TableEntry target, int row) {
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
