package org.nelumbo.planner.subquery;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.access.PointGet;
import org.nelumbo.executor.op.aggregate.AggregateExpression;
import org.nelumbo.executor.op.aggregate.Grouping;
import org.nelumbo.executor.op.aggregate.HashAggregate;
import org.nelumbo.executor.op.basic.Limit;
import org.nelumbo.executor.op.basic.Projection;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.join.JoinType;
import org.nelumbo.planner.join.GroupedSubQuery;
import org.nelumbo.planner.join.JoinMethods;
import org.nelumbo.planner.join.JoinPlanner;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.rex.ColumnLists;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.OuterVariables;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Plans subqueries. EXISTS and IN in a WHERE become semi-joins, NOT EXISTS and NOT IN anti-joins.
 * Conditions that refer to the outer row are pulled up into the join, so that it can use lookups by
 * key or hashing. Scalar subqueries become joins that keep the outer row. If they are correlated,
 * they run for each outer row, or once for all of them, see {@link GroupedSubQuery}.
 */
public final class SubQueryPlanner {
  private final PlanContext context;
  private final RelationBuilder builder;
  private final JoinMethods methods;
  private final JoinPlanner joins;
  private final InputPlanner inputs;

  public SubQueryPlanner(
      PlanContext context, JoinMethods methods, JoinPlanner joins, InputPlanner inputs) {
    this.context = context;
    this.builder = new RelationBuilder(context);
    this.methods = methods;
    this.joins = joins;
    this.inputs = inputs;
  }

  /**
   * Rows with the values of subqueries as additional columns, and expressions that refer to these
   * columns.
   */
  public record Scalars(PlannedRelation input, List<RexNode> expressions) {}

  /**
   * Keeps the rows for which a conjunct with subqueries holds.
   *
   * @param wanted estimated number of input rows that are read
   */
  public PlannedRelation filter(
      PlannedRelation input, Filter filter, RexNode conjunct, double wanted) {
    Set<CorrelationId> variables = filter.getVariablesSet();
    boolean negated = conjunct.getKind() == SqlKind.NOT;
    RexNode inner = negated ? ((RexCall) conjunct).getOperands().getFirst() : conjunct;
    if (inner instanceof RexSubQuery subQuery && isJoinable(subQuery)) {
      bind(variables, input);
      return subQuery.getKind() == SqlKind.EXISTS
          ? exists(input, variables, subQuery, negated, wanted)
          : in(input, variables, subQuery, negated, wanted);
    }
    Scalars scalars = scalars(input, variables, List.of(conjunct), wanted);
    PlannedRelation checked = builder.filter(scalars.input, scalars.expressions);
    return checked.withColumns(checked.columns().subList(0, input.columns().size()));
  }

  /** Returns true if the subquery of a conjunct can become a join. */
  static boolean isJoinable(RexSubQuery subQuery) {
    boolean plainOperands = subQuery.getOperands().stream().noneMatch(Conjuncts::hasSubQuery);
    return subQuery.getKind() == SqlKind.EXISTS
        || subQuery.getKind() == SqlKind.IN && plainOperands;
  }

  private void bind(Set<CorrelationId> variables, PlannedRelation input) {
    variables.forEach(id -> context.correlated().put(id, input.columns()));
  }

  private static JoinType kind(boolean negated) {
    return negated ? JoinType.ANTI : JoinType.SEMI;
  }

  private PlannedRelation exists(
      PlannedRelation input,
      Set<CorrelationId> variables,
      RexSubQuery subQuery,
      boolean negated,
      double wanted) {
    RelNode base = subQuery.rel;
    while (base instanceof Project project && !project.containsOver()) {
      base = project.getInput();
    }
    List<RexNode> on = new ArrayList<>();
    RelNode inner = pullUp(base, variables, input.columns().size(), on);
    if (inner == null || isCorrelated(inner)) {
      return methods.nested(input, repeated(base), kind(negated), null);
    }
    return joins.join(input, inner, on, kind(negated), wanted);
  }

  private PlannedRelation in(
      PlannedRelation input,
      Set<CorrelationId> variables,
      RexSubQuery subQuery,
      boolean negated,
      double wanted) {
    int leftCount = input.columns().size();
    RelNode base = subQuery.rel;
    List<RexNode> values = new ArrayList<>();
    if (base instanceof Project project
        && !project.containsOver()
        && project.getProjects().stream().noneMatch(Conjuncts::hasSubQuery)) {
      base = project.getInput();
      values.addAll(project.getProjects());
    } else {
      for (int i = 0; i < base.getRowType().getFieldCount(); i++) {
        values.add(RexInputRef.of(i, base.getRowType()));
      }
    }
    List<RexNode> on = new ArrayList<>();
    RelNode inner = pullUp(base, variables, leftCount, on);
    boolean isWhole = inner == null && OuterVariables.areNoneIn(base);
    boolean nested = !isWhole && (inner == null || isCorrelated(inner));
    if (nested || isWhole) {
      on.clear();
      inner = base;
    }
    List<RexNode> pulled = new ArrayList<>();
    values.forEach(value -> pulled.add(Conjuncts.outward(value, variables, leftCount)));
    on.addAll(equalities(subQuery, pulled, negated));
    if (nested) {
      PlannedRelation right = repeated(inner);
      List<Expression> fields = ColumnLists.concat(input.columns(), right.columns());
      Expression condition = new RexTranslator(context, fields).conjunction(on);
      return methods.nested(input, right, kind(negated), condition);
    }
    return joins.join(input, inner, on, kind(negated), wanted);
  }

  private PlannedRelation repeated(RelNode node) {
    context.enterRepeated();
    PlannedRelation planned = inputs.plan(node);
    context.leaveRepeated();
    return planned;
  }

  /**
   * Returns {@code x = value} for each column. For NOT IN with nullable values, returns that they
   * are not known to be unequal.
   */
  private static List<RexNode> equalities(
      RexSubQuery subQuery, List<RexNode> values, boolean negated) {
    RexBuilder rex = subQuery.rel.getCluster().getRexBuilder();
    List<RexNode> equal = new ArrayList<>();
    boolean nullable = false;
    for (int i = 0; i < values.size(); i++) {
      RexNode operand = subQuery.getOperands().get(i);
      nullable |= operand.getType().isNullable() || values.get(i).getType().isNullable();
      equal.add(rex.makeCall(SqlStdOperatorTable.EQUALS, operand, values.get(i)));
    }
    if (!negated || !nullable) {
      return equal;
    }
    RexNode all =
        equal.size() == 1 ? equal.getFirst() : rex.makeCall(SqlStdOperatorTable.AND, equal);
    return List.of(rex.makeCall(SqlStdOperatorTable.IS_NOT_FALSE, all));
  }

  private static RelNode pullUp(
      RelNode node, Set<CorrelationId> variables, int leftCount, List<RexNode> on) {
    RelNode inner = node;
    while (inner instanceof Filter filter) {
      if (Conjuncts.hasSubQuery(filter.getCondition())) {
        return null;
      }
      for (RexNode conjunct : Conjuncts.of(filter.getCondition())) {
        on.add(Conjuncts.outward(conjunct, variables, leftCount));
      }
      inner = filter.getInput();
    }
    return inner;
  }

  /** Returns true if a subquery refers to an outer row. */
  static boolean isCorrelated(RelNode node) {
    return !RelOptUtil.getVariablesUsed(node).isEmpty();
  }

  /**
   * Joins the values of the subqueries in the expressions of a projection to the rows.
   *
   * @param wanted estimated number of input rows that are read
   */
  public Scalars scalars(
      PlannedRelation input, Project project, List<RexNode> expressions, double wanted) {
    return scalars(input, project.getVariablesSet(), expressions, wanted);
  }

  private Scalars scalars(
      PlannedRelation input,
      Set<CorrelationId> variables,
      List<RexNode> expressions,
      double wanted) {
    if (expressions.stream().noneMatch(Conjuncts::hasSubQuery)) {
      return new Scalars(input, expressions);
    }
    bind(variables, input);
    PlannedRelation[] joined = {input};
    RexShuttle replacing =
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            joined[0] =
                subQuery.getKind() == SqlKind.EXISTS
                    ? withFlag(joined[0], subQuery)
                    : withValue(joined[0], variables, subQuery, wanted);
            RelDataType type = subQuery.getType();
            return new RexInputRef(joined[0].columns().size() - 1, type);
          }
        };
    List<RexNode> replaced = new ArrayList<>();
    expressions.forEach(expression -> replaced.add(expression.accept(replacing)));
    return new Scalars(joined[0], replaced);
  }

  private PlannedRelation withValue(
      PlannedRelation input, Set<CorrelationId> variables, RexSubQuery subQuery, double wanted) {
    if (subQuery.getKind() != SqlKind.SCALAR_QUERY) {
      throw RexTranslator.unsupported(subQuery);
    }
    if (!isCorrelated(subQuery.rel)) {
      PlannedRelation right = single(inputs.plan(subQuery.rel), subQuery.rel);
      return methods.hash(input, builder.materialize(right), List.of(), JoinType.LEFT);
    }
    GroupedSubQuery grouped =
        context.isRepeated()
            ? null
            : GroupedSubQuery.of(subQuery.rel, variables, input.columns().size());
    return grouped != null && joins.isBetterGrouped(input, grouped, wanted)
        ? withGroups(input, grouped)
        : methods.nested(input, single(repeated(subQuery.rel), subQuery.rel), JoinType.LEFT, null);
  }

  private PlannedRelation withGroups(PlannedRelation input, GroupedSubQuery query) {
    int count = input.columns().size();
    PlannedRelation groups = builder.materialize(inputs.plan(query.grouped()));
    PlannedRelation joined = methods.hash(input, groups, query.on(count), JoinType.LEFT);
    List<AggregateCall> calls = query.aggregate().getAggCallList();
    List<Expression> results = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Expression result = joined.columns().get(count + query.keys().size() + i);
      results.add(GroupedSubQuery.isCount(calls.get(i)) ? orZero(result) : result);
    }
    Expression value = new RexTranslator(context, results).translate(query.value());
    List<Expression> columns = ColumnLists.concat(input.columns(), List.of(value));
    return joined.withColumns(columns).withRows(input.rows());
  }

  private static Expression orZero(Expression count) {
    ColumnType type = count.type();
    Expression zero = Casts.cast(type, Expressions.literal(ColumnType.of(Kind.BIGINT), 0L));
    return Expressions.coalesce(type, List.of(count, zero));
  }

  /** Adds a check that fails if there is more than one row. */
  PlannedRelation single(PlannedRelation right, RelNode node) {
    RelNode inner = node;
    while (inner instanceof Project project) {
      inner = project.getInput();
    }
    boolean one =
        inner instanceof Aggregate aggregate && aggregate.getGroupCount() == 0
            || right.operator() instanceof PointGet;
    if (one) {
      return right;
    }
    Expression value = right.columns().getFirst();
    ColumnType type = value.type().orNull();
    int slot = context.shape().addSlot(type);
    AggregateExpression call = AggregateExpression.singleValue(value, type, slot);
    Operator checked =
        new HashAggregate(
            right.operator(),
            new Grouping(new Expression[0], new int[0], new AggregateExpression[] {call}));
    return new PlannedRelation(
        checked, List.of(Expressions.slot(type, slot, value.toString())), 1, ProvidedOrder.NONE);
  }

  private PlannedRelation withFlag(PlannedRelation input, RexSubQuery subQuery) {
    boolean correlated = isCorrelated(subQuery.rel);
    PlannedRelation right = correlated ? repeated(subQuery.rel) : inputs.plan(subQuery.rel);
    ColumnType bool = ColumnType.of(Kind.BOOLEAN);
    int slot = context.shape().addSlot(bool);
    Expression one = Expressions.literal(ColumnType.of(Kind.BIGINT), 1L);
    Operator first = new Limit(right.operator(), null, one);
    Operator flagged =
        new Projection(first, new Expression[] {Expressions.bool(true)}, new int[] {slot});
    PlannedRelation flag =
        new PlannedRelation(
            flagged, List.of(Expressions.slot(bool, slot, "EXISTS")), 1, ProvidedOrder.NONE);
    PlannedRelation joined =
        correlated
            ? methods.nested(input, flag, JoinType.LEFT, null)
            : methods.hash(input, flag, List.of(), JoinType.LEFT);
    List<Expression> columns = new ArrayList<>(joined.columns());
    columns.set(columns.size() - 1, Expressions.isNotNull(columns.getLast()));
    return joined.withColumns(columns);
  }
}
