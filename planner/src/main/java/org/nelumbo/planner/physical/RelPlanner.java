package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.ArithmeticOp;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.NumericFunctions;
import org.nelumbo.executor.op.basic.Limit;
import org.nelumbo.executor.op.basic.RowSort;
import org.nelumbo.executor.op.basic.SortKey;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.convert.SharedQueryNode;
import org.nelumbo.planner.join.JoinMethods;
import org.nelumbo.planner.join.JoinPlanner;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.LockedRowsNode;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.subquery.ListRelations;
import org.nelumbo.planner.subquery.SharedQueryPlanner;
import org.nelumbo.planner.subquery.SubQueryKeys;
import org.nelumbo.planner.subquery.SubQueryPlanner;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Plans relational nodes. {@link #plan} receives the conditions that the rows of a node have to
 * satisfy, over its fields, and the required order. A node passes down as much as possible and does
 * the rest itself. An order that is not required is dropped from the result, so that no join makes
 * an effort to keep it.
 */
final class RelPlanner implements InputPlanner {
  private final PlanContext context;
  private final ScanPlanner scans;
  private final RelationBuilder builder;
  private final JoinPlanner joins;
  private final SubQueryPlanner subQueries;
  private final SubQueryKeys subQueryKeys;
  private final SetPlanner sets;
  private final RecursionPlanner recursions;
  private final SharedQueryPlanner sharedQueries;

  RelPlanner(PlanContext context) {
    this.context = context;
    this.scans = new ScanPlanner(context);
    this.builder = new RelationBuilder(context);
    JoinMethods methods = new JoinMethods(context, scans);
    this.joins = new JoinPlanner(context, scans, methods, this);
    this.subQueries = new SubQueryPlanner(context, methods, joins, this);
    this.subQueryKeys = new SubQueryKeys(scans, methods, subQueries, this);
    this.sets = new SetPlanner(context, this);
    this.recursions = new RecursionPlanner(context, this);
    this.sharedQueries = new SharedQueryPlanner(context, this);
  }

  @Override
  public PlannedRelation plan(RelNode node, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    context.enter();
    PlannedRelation planned =
        builder.neverHold(conjuncts)
            ? builder.empty(node.getRowType().getFieldList())
            : planHere(node, conjuncts, requiredOrder);
    context.leave();
    boolean needsOrder = requiredOrder.isOrdered() && planned.isOrderedBy(requiredOrder.keys());
    PlannedRelation result = needsOrder ? planned : planned.unsorted();
    return context.isWithinNode() ? result : sharedQueries.finished(result);
  }

  private PlannedRelation planHere(
      RelNode node, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    return switch (node) {
      case TableScan scan -> scans.plan(scan, conjuncts, requiredOrder);
      case Filter filter -> filter(filter, conjuncts, requiredOrder);
      case Project project -> project(project, conjuncts, requiredOrder);
      case Join join -> joins.plan(join, conjuncts, requiredOrder);
      case Correlate correlate -> joins.plan(correlate, conjuncts);
      case Aggregate aggregate -> AggregatePlanner.plan(context, this, aggregate, conjuncts);
      case Sort sort -> sort(sort, conjuncts, requiredOrder.limit());
      case LockedRowsNode locked ->
          RowLocks.plan(context, locked, plan(locked.getInput(), conjuncts, requiredOrder));
      case RepeatUnion union -> builder.filter(recursions.plan(union), conjuncts);
      case WorkingTableNode table -> builder.filter(table.planned(), conjuncts);
      case SharedQueryNode shared -> builder.filter(sharedQueries.plan(shared), conjuncts);
      case SetOp setOp -> sets.plan(setOp, conjuncts);
      case Values values -> builder.filter(sets.values(values), conjuncts);
      case TableFunctionScan scan -> builder.filter(SeriesPlanner.plan(context, scan), conjuncts);
      default -> throw unsupported(node);
    };
  }

  private static NelumboException unsupported(RelNode node) {
    String name = node.getRelTypeName().replaceFirst("^Logical", "");
    return new NelumboException(ErrorCode.UNSUPPORTED, name + " is not supported.");
  }

  private PlannedRelation filter(
      Filter filter, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    List<RexNode> all = new ArrayList<>(conjuncts);
    List<RexNode> withSubQueries = new ArrayList<>();
    for (RexNode conjunct : Conjuncts.of(filter.getCondition())) {
      (Conjuncts.hasSubQuery(conjunct) ? withSubQueries : all).add(conjunct);
    }
    boolean limited = withSubQueries.isEmpty();
    SubQueryKeys.Keyed keyed =
        limited ? null : subQueryKeys.read(filter.getInput(), all, withSubQueries);
    RequiredOrder below = limited ? requiredOrder : new RequiredOrder(requiredOrder.keys(), null);
    PlannedRelation input =
        keyed == null ? joined(filter.getInput(), all, withSubQueries, below) : keyed.relation();
    for (RexNode conjunct : keyed == null ? withSubQueries : keyed.conjuncts()) {
      double wanted = requiredOrder.wantedOf(input, CostModel.LIMITED_FILTER_FACTOR);
      input = subQueries.filter(input, filter, conjunct, wanted);
    }
    return input;
  }

  private PlannedRelation joined(
      RelNode node, List<RexNode> conjuncts, List<RexNode> lists, RequiredOrder requiredOrder) {
    PlannedRelation joined = plan(ListRelations.joined(node, lists), conjuncts, requiredOrder);
    return joined.withColumns(joined.columns().subList(0, node.getRowType().getFieldCount()));
  }

  private PlannedRelation project(
      Project project, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    List<RexNode> expressions = project.getProjects();
    if (project.containsOver()) {
      return windows(project, conjuncts);
    }
    List<RexNode> below = new ArrayList<>();
    List<RexNode> above = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      RexNode substituted = Conjuncts.substitute(conjunct, expressions);
      boolean movable =
          !context.growthLimit().isTooMuch(conjunct, substituted.nodeCount())
              && !Conjuncts.hasSubQuery(substituted)
              && Conjuncts.isDeterministic(substituted);
      (movable ? below : above).add(movable ? substituted : conjunct);
    }
    RequiredOrder inner =
        requiredOrder.mapped(
            field -> expressions.get(field) instanceof RexInputRef ref ? ref.getIndex() : -1);
    PlannedRelation input = plan(project.getInput(), below, inner);
    double wanted = inner.wantedOf(input, 0);
    SubQueryPlanner.Scalars scalars = subQueries.scalars(input, project, expressions, wanted);
    PlannedRelation projected = scalars.input();
    if (context.growthLimit().areTooMuch(scalars.expressions(), projected.columns())) {
      projected = builder.materialize(projected);
    }
    List<Expression> columns =
        new RexTranslator(context, projected.columns()).translateAll(scalars.expressions());
    context.growthLimit().note(columns, scalars.expressions(), projected.columns());
    PlannedRelation planned = projected.withColumns(columns);
    boolean mayBeReadAgain =
        scalars.expressions().stream().allMatch(RexUtil::isDeterministic)
            || context.isStored(project);
    return builder.filter(mayBeReadAgain ? planned : builder.materialize(planned), above);
  }

  /** Conditions on the projection's fields are checked above it. */
  private PlannedRelation windows(Project project, List<RexNode> conjuncts) {
    PlannedRelation input = plan(project.getInput(), List.of(), RequiredOrder.NOTHING);
    WindowPlanner.Planned windows = new WindowPlanner(context).plan(input, project.getProjects());
    SubQueryPlanner.Scalars scalars =
        subQueries.scalars(windows.input(), project, windows.expressions(), windows.input().rows());
    PlannedRelation projected = scalars.input();
    List<Expression> columns =
        new RexTranslator(context, projected.columns()).translateAll(scalars.expressions());
    return builder.filter(projected.withColumns(columns), conjuncts);
  }

  private PlannedRelation sort(Sort sort, List<RexNode> conjuncts, Expression limit) {
    boolean limited = sort.offset != null || sort.fetch != null;
    Expression offset = count(context, sort.offset);
    Expression fetch = count(context, sort.fetch);
    List<RequiredOrder.Key> keys = keys(sort.getCollation());
    RequiredOrder requiredOrder =
        new RequiredOrder(keys, limited ? rowsHint(offset, fetch) : limit);
    PlannedRelation input = plan(sort.getInput(), limited ? List.of() : conjuncts, requiredOrder);
    PlannedRelation sorted = sorted(input, keys, offset, fetch);
    return limited ? builder.filter(sorted, conjuncts) : sorted;
  }

  static List<RequiredOrder.Key> keys(RelCollation collation) {
    List<RequiredOrder.Key> keys = new ArrayList<>();
    for (RelFieldCollation field : collation.getFieldCollations()) {
      boolean descending = field.getDirection().isDescending();
      boolean nullsFirst = field.nullDirection == RelFieldCollation.NullDirection.FIRST;
      keys.add(new RequiredOrder.Key(field.getFieldIndex(), descending, nullsFirst == descending));
    }
    return keys;
  }

  /** Returns a number of rows; null if it is absent. */
  static Expression count(PlanContext context, RexNode nodeOrNull) {
    return nodeOrNull == null
        ? null
        : Casts.cast(
            ColumnType.of(Kind.BIGINT),
            new RexTranslator(context, List.of()).translate(nodeOrNull));
  }

  /** Returns the number of rows that are read of an ordered relation; null for all. */
  static Expression rowsHint(Expression offset, Expression fetch) {
    return offset == null || fetch == null
        ? fetch
        : NumericFunctions.arithmetic(ArithmeticOp.PLUS, ColumnType.of(Kind.BIGINT), offset, fetch);
  }

  private static PlannedRelation limited(
      PlannedRelation input, Expression offset, Expression fetch) {
    return input
        .withOperator(new Limit(input.operator(), offset, fetch))
        .withRows(CostModel.LIMITED_ROWS);
  }

  static PlannedRelation sorted(
      PlannedRelation input, List<RequiredOrder.Key> keys, Expression offset, Expression fetch) {
    if (input.isOrderedBy(keys)) {
      return offset == null && fetch == null ? input : limited(input, offset, fetch);
    }
    List<SortKey> sortKeys =
        keys.stream().map(key -> key.over(input.columns().get(key.field()))).toList();
    Operator sort = new RowSort(input.operator(), sortKeys.toArray(SortKey[]::new), offset, fetch);
    return new PlannedRelation(
        sort,
        input.columns(),
        fetch == null ? input.rows() : CostModel.LIMITED_ROWS,
        ProvidedOrder.of(sortKeys));
  }
}
