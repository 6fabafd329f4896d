package org.nelumbo.planner.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.access.FullTableScan;
import org.nelumbo.executor.op.access.IndexRangeScan;
import org.nelumbo.executor.op.access.MultiGet;
import org.nelumbo.executor.op.access.PointGet;
import org.nelumbo.executor.op.basic.Distinct;
import org.nelumbo.executor.op.basic.RowFilter;
import org.nelumbo.executor.op.basic.ValuesScan;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.join.JoinType;
import org.nelumbo.executor.op.join.NestedLoopIndexJoin;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.planner.catalog.SystemView;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.CommonTypes;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.types.ColumnType;

/** Plans the access to one table, alone or for each row of a relation to which it is joined. */
public final class ScanPlanner {
  private final PlanContext context;

  public ScanPlanner(PlanContext context) {
    this.context = context;
  }

  /**
   * A table access to be planned.
   *
   * @param scan identifies the scan within its statement, see {@link ScanPattern}
   * @param fields fields of a joined row: those before {@code first} are known when the table is
   *     read, the columns of the table follow
   */
  public record Target(
      Object scan,
      TableEntry entry,
      int row,
      LockMode lockMode,
      List<Expression> fields,
      int first) {
    public List<Expression> columns() {
      return fields.subList(first, fields.size());
    }

    Target withLockMode(LockMode mode) {
      return new Target(scan, entry, row, mode, fields, first);
    }
  }

  public PlannedRelation plan(
      TableScan scan, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    CatalogTable table = SqlFrontEnd.table(scan.getTable());
    return table.relation() instanceof SystemView view
        ? view(view, conjuncts)
        : plan(scan, (TableEntry) table.relation(), conjuncts, requiredOrder);
  }

  /**
   * Plans a scan of a table.
   *
   * @param scan identifies the scan within its statement, see {@link ScanPattern}
   */
  public PlannedRelation plan(
      Object scan, TableEntry entry, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    Target target = target(scan, entry, List.of());
    AccessPath path = choose(target, conjuncts, requiredOrder);
    Operator operator =
        operator(lateLocked(target, path, conjuncts.size()), path, requiredOrder.limit());
    return filtered(target, operator, path, conjuncts, order(target, path, requiredOrder));
  }

  /**
   * Plans another scan of a target's table, which shows its rows in the same row of the frame.
   *
   * @param conjuncts conditions over the columns of the table
   */
  public PlannedRelation plan(Target shown, List<RexNode> conjuncts) {
    Target target = target(shown.scan, shown.entry, shown.row, List.of());
    AccessPath path = choose(target, conjuncts, RequiredOrder.NOTHING);
    Operator operator = operator(lateLocked(target, path, conjuncts.size()), path, null);
    return filtered(target, operator, path, conjuncts, ProvidedOrder.NONE);
  }

  /**
   * A scan for UPDATE or DELETE that also reads rows that do not qualify locks them for reading
   * only: the change itself locks the qualifying rows for writing.
   */
  private Target lateLocked(Target target, AccessPath path, int conjuncts) {
    boolean late =
        context.isChanged(target.scan)
            && (path.kind() == AccessPath.Kind.FULL || path.kind() == AccessPath.Kind.RANGE)
            && path.decided().cardinality() < conjuncts;
    return late ? target.withLockMode(LockMode.READ) : target;
  }

  private PlannedRelation view(SystemView view, List<RexNode> conjuncts) {
    int[] slots = new int[view.columns().size()];
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      ColumnType type = view.columns().get(i).type();
      slots[i] = context.shape().addSlot(type);
      columns.add(Expressions.slot(type, slots[i], view.columns().get(i).name()));
    }
    Operator operator = new SystemViewScan(view, slots);
    Expression condition = new RexTranslator(context, columns).conjunction(conjuncts);
    return new PlannedRelation(
        condition == null ? operator : new RowFilter(operator, condition),
        columns,
        100,
        ProvidedOrder.NONE);
  }

  /** Creates the target of a table access and reserves a row for it in the frame. */
  public Target target(ScanPattern pattern, List<Expression> known) {
    return target(pattern.scan(), pattern.entry(), known);
  }

  private Target target(Object scan, TableEntry entry, List<Expression> known) {
    int row = context.shape().addRow();
    context.placed(scan, row);
    context.use(entry);
    return target(scan, entry, row, known);
  }

  /**
   * Creates the target of a table access that is only estimated: it reserves no row in the frame.
   */
  public Target probe(ScanPattern pattern, List<Expression> known) {
    return target(pattern.scan(), pattern.entry(), 0, known);
  }

  private Target target(Object scan, TableEntry entry, int row, List<Expression> known) {
    List<Expression> fields = new ArrayList<>(known);
    RowLayout layout = entry.store().layout();
    for (int i = 0; i < entry.columns().size(); i++) {
      fields.add(Expressions.column(row, layout, i));
    }
    return new Target(scan, entry, row, context.lockMode(scan), fields, known.size());
  }

  /** Returns the best access path for a table under conjuncts over the fields of its target. */
  public AccessPath choose(Target target, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    AccessPlanner planner =
        new AccessPlanner(target.entry, finder(target), conjuncts, requiredOrder);
    AccessPath path = planner.choose();
    if (planner.needsValues()) {
      context.noteUseOfValues();
    }
    if (planner.guesses()) {
      context.noteGuess();
    }
    return path;
  }

  private ConditionFinder finder(Target target) {
    return new ConditionFinder(
        new RexTranslator(context, target.fields),
        target.entry.store().layout(),
        target.first,
        target.entry.columns().size(),
        IndexExpressions.of(context, target.entry, target.first));
  }

  /**
   * Estimates, for joins, the fraction of a table's rows for which conjuncts over the fields of its
   * target hold. The plan may depend on it, so the use of values is recorded.
   */
  public double share(Target target, List<RexNode> conjuncts) {
    Selectivity selectivity = new Selectivity(target.entry, finder(target));
    double share = selectivity.of(conjuncts);
    if (selectivity.needsValues()) {
      context.noteUseOfValues();
      context.noteGuess();
    }
    return share;
  }

  /**
   * Creates the operator that reads a table on a path. It does not check the conditions that the
   * path leaves open.
   */
  public Operator operator(Target target, AccessPath path, Expression limit) {
    Operator operator = reading(target, path, limit);
    operator.expect(path.rows(), path.cost());
    return operator;
  }

  private Operator reading(Target target, AccessPath path, Expression limit) {
    return switch (path.kind()) {
      case POINT -> new PointGet(target.entry.store(), target.row, path.keys()[0], target.lockMode);
      case MULTI -> new MultiGet(target.entry.store(), target.row, path.keys(), target.lockMode);
      case FULL -> FullTableScan.of(target.entry.store(), target.row, target.lockMode);
      case RANGE ->
          path.range().in() == null
              ? range(target, path, limit)
              : rangeForEach(target, path.range());
    };
  }

  private static Operator range(Target target, AccessPath path, Expression limit) {
    AccessPath.IndexRange range = path.range();
    return new IndexRangeScan(
        range.index(),
        target.row,
        new IndexRangeScan.Definition(
            range.equals(),
            range.lower(),
            range.upper(),
            range.ascending(),
            path.ordered() ? limit : null,
            target.lockMode));
  }

  private Operator rangeForEach(Target target, AccessPath.IndexRange range) {
    int position = range.equals().length;
    ColumnType type = CommonTypes.of(List.of(range.in()));
    int slot = context.shape().addSlot(type);
    Expression[][] rows = new Expression[range.in().length][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new Expression[] {Casts.cast(type, range.in()[i])};
    }
    Expression value = Expressions.slot(type, slot, "each");
    Expression[] equals = Arrays.copyOf(range.equals(), position + 1);
    equals[position] = value;
    Operator values =
        new Distinct(new ValuesScan(rows, new int[] {slot}), new Expression[] {value});
    Operator scan =
        new IndexRangeScan(
            range.index(),
            target.row,
            IndexRangeScan.Definition.prefix(equals, null, target.lockMode));
    return new NestedLoopIndexJoin(values, scan, JoinType.INNER, null);
  }

  /** Returns the conjuncts that a path does not decide. */
  public static List<RexNode> residual(AccessPath path, List<RexNode> conjuncts) {
    List<RexNode> left = new ArrayList<>();
    for (int i = 0; i < conjuncts.size(); i++) {
      if (!path.decided().get(i)) {
        left.add(conjuncts.get(i));
      }
    }
    return left;
  }

  /**
   * The range of the path may come from a LIKE, whose selectivity is in the row estimate already.
   */
  private static List<RexNode> uncounted(AccessPath path, List<RexNode> residual) {
    boolean within =
        path.kind() == AccessPath.Kind.RANGE
            && (path.range().lower() != null || path.range().upper() != null);
    return within
        ? residual.stream().filter(each -> each.getKind() != SqlKind.LIKE).toList()
        : residual;
  }

  private static ProvidedOrder order(Target target, AccessPath path, RequiredOrder required) {
    if (path.kind() == AccessPath.Kind.POINT) {
      return ProvidedOrder.SINGLE;
    }
    List<Expression> columns = target.columns();
    return path.ordered()
        ? ProvidedOrder.of(
            required.keys().stream().map(key -> key.over(columns.get(key.field()))).toList())
        : ProvidedOrder.NONE;
  }

  private PlannedRelation filtered(
      Target target,
      Operator operator,
      AccessPath path,
      List<RexNode> conjuncts,
      ProvidedOrder order) {
    List<RexNode> residual = residual(path, conjuncts);
    if (residual.isEmpty()) {
      return new PlannedRelation(operator, target.columns(), path.rows(), order);
    }
    Expression condition =
        new RexTranslator(context, target.fields).conjunction(Conjuncts.cheapFirst(residual));
    Selectivity selectivity = new Selectivity(target.entry, finder(target));
    double share = selectivity.of(uncounted(path, residual));
    if (selectivity.needsValues()) {
      context.noteGuess();
    }
    return new PlannedRelation(
        condition == null ? operator : new RowFilter(operator, condition),
        target.columns(),
        Math.max(1, path.rows() * share),
        order);
  }
}
