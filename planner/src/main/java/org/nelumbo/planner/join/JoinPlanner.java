package org.nelumbo.planner.join;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.join.JoinType;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.ColumnLists;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;

/** Plans the joins of a relational tree. */
public final class JoinPlanner {
  private final PlanContext context;
  private final RelationBuilder builder;
  private final ScanPlanner scans;
  private final JoinMethods methods;
  private final InputPlanner inputs;

  public JoinPlanner(
      PlanContext context, ScanPlanner scans, JoinMethods methods, InputPlanner inputs) {
    this.context = context;
    this.builder = new RelationBuilder(context);
    this.scans = scans;
    this.methods = methods;
    this.inputs = inputs;
  }

  public PlannedRelation plan(Join join, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    if (Conjuncts.hasSubQuery(join.getCondition())) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "a subquery in the condition of a FULL JOIN may read columns of one side only; compute"
              + " its value in a query in FROM");
    }
    JoinRelType type = strengthened(join, conjuncts);
    return switch (type) {
      case INNER -> inner(join, conjuncts, requiredOrder);
      case LEFT, SEMI, ANTI -> left(join, kind(type), conjuncts, requiredOrder);
      case RIGHT -> right(join, conjuncts);
      case FULL -> full(join, conjuncts);
      default ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED, type.lowerName + " joins are not supported");
    };
  }

  private PlannedRelation inner(Join join, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    FlatJoin flat = new FlatJoin(join);
    List<NodeInput> relations =
        flat.leaves().stream().map(leaf -> new NodeInput(leaf, inputs)).toList();
    return new InnerJoinPlanner(context, scans, methods, relations, flat.conjuncts())
        .plan(conjuncts, requiredOrder);
  }

  /**
   * Joins a planned left side with a relation, see {@link JoinMethods#join}.
   *
   * @param on conditions over the fields of both sides
   */
  public PlannedRelation join(
      PlannedRelation left, RelNode right, List<RexNode> on, JoinType kind, double wanted) {
    return methods.join(left, new NodeInput(right, inputs), on, kind, wanted);
  }

  private static JoinType kind(JoinRelType type) {
    return switch (type) {
      case INNER -> JoinType.INNER;
      case LEFT -> JoinType.LEFT;
      case SEMI -> JoinType.SEMI;
      case ANTI -> JoinType.ANTI;
      case FULL -> JoinType.FULL;
      default -> throw new IllegalArgumentException("type=" + type);
    };
  }

  /** Converts an outer join to an inner one if the conditions above reject its padded rows. */
  private static JoinRelType strengthened(Join join, List<RexNode> conjuncts) {
    int leftCount = join.getLeft().getRowType().getFieldCount();
    int count = leftCount + join.getRight().getRowType().getFieldCount();
    JoinRelType type = join.getJoinType();
    if (type.generatesNullsOnRight()
        && rejects(conjuncts, ImmutableBitSet.range(leftCount, count))) {
      type = type.cancelNullsOnRight();
    }
    if (type.generatesNullsOnLeft() && rejects(conjuncts, ImmutableBitSet.range(leftCount))) {
      type = type.cancelNullsOnLeft();
    }
    return type;
  }

  private static boolean rejects(List<RexNode> conjuncts, ImmutableBitSet nullFields) {
    for (RexNode conjunct : conjuncts) {
      if (Conjuncts.fields(conjunct).intersects(nullFields)
          && Strong.isNotTrue(conjunct, nullFields)) {
        return true;
      }
    }
    return false;
  }

  /** Conditions on the left side alone are applied before the join, all others after it. */
  private PlannedRelation left(
      Join join, JoinType kind, List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    int leftCount = join.getLeft().getRowType().getFieldCount();
    List<RexNode> before = new ArrayList<>();
    List<RexNode> after = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      boolean onLeft = Conjuncts.fields(conjunct).length() <= leftCount;
      (onLeft ? before : after).add(conjunct);
    }
    RequiredOrder below =
        new RequiredOrder(requiredOrder.keys(), null)
            .mapped(field -> field < leftCount ? field : -1);
    PlannedRelation left = inputs.plan(join.getLeft(), before, below);
    double wanted =
        requiredOrder.wantedOf(left, after.isEmpty() ? 0 : CostModel.LIMITED_FILTER_FACTOR);
    PlannedRelation joined =
        join(left, join.getRight(), Conjuncts.of(join.getCondition()), kind, wanted);
    return builder.filter(joined, after);
  }

  private PlannedRelation right(Join join, List<RexNode> conjuncts) {
    int leftCount = join.getLeft().getRowType().getFieldCount();
    int rightCount = join.getRight().getRowType().getFieldCount();
    PlannedRelation right = inputs.plan(join.getRight());
    List<RexNode> on = Conjuncts.of(swapped(join, leftCount, rightCount));
    PlannedRelation joined = join(right, join.getLeft(), on, JoinType.LEFT, right.rows());
    List<Expression> columns =
        ColumnLists.concat(
            joined.columns().subList(rightCount, rightCount + leftCount),
            joined.columns().subList(0, rightCount));
    return builder.filter(joined.withColumns(columns), conjuncts);
  }

  private static RexNode swapped(Join join, int leftCount, int rightCount) {
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < leftCount + rightCount; i++) {
      int field = i < leftCount ? i + rightCount : i - leftCount;
      RelNode side = i < leftCount ? join.getLeft() : join.getRight();
      int inSide = i < leftCount ? i : i - leftCount;
      fields.add(new RexInputRef(field, side.getRowType().getFieldList().get(inSide).getType()));
    }
    return Conjuncts.substitute(join.getCondition(), fields);
  }

  private PlannedRelation full(Join join, List<RexNode> conjuncts) {
    PlannedRelation left = builder.materialize(inputs.plan(join.getLeft()));
    PlannedRelation right = builder.materialize(inputs.plan(join.getRight()));
    PlannedRelation joined =
        methods.hash(left, right, Conjuncts.of(join.getCondition()), JoinType.FULL);
    return builder.filter(joined, conjuncts);
  }

  /**
   * Returns true if running a subquery once for all groups is cheaper than running it for each row.
   * If the subquery can be read by keys of the row, this needs many rows; else two.
   *
   * @param wanted estimated number of rows that are read
   */
  public boolean isBetterGrouped(PlannedRelation rows, GroupedSubQuery query, double wanted) {
    int count = rows.columns().size();
    List<RexNode> on = new ArrayList<>(query.keys());
    query.local().forEach(each -> on.add(RexUtil.shift(each, count)));
    ScanPattern pattern = ScanPattern.of(query.base());
    if (pattern == null) {
      return wanted > 1 && !isAnyBound(query.base(), rows.columns(), on, count);
    }
    double lookups =
        methods.lookups(pattern, rows.columns(), pattern.conditions(on, count), wanted);
    return lookups < 0 ? wanted > 1 : methods.isHashBetter(pattern, query.local(), wanted, lookups);
  }

  private boolean isAnyBound(RelNode node, List<Expression> known, List<RexNode> on, int offset) {
    return switch (node) {
      case Join join ->
          isAnyBound(join.getLeft(), known, on, offset)
              || isAnyBound(
                  join.getRight(), known, on, offset + join.getLeft().getRowType().getFieldCount());
      case Filter filter -> isAnyBound(filter.getInput(), known, on, offset);
      default -> {
        ScanPattern pattern = ScanPattern.of(node);
        yield pattern != null
            && methods.isBound(
                pattern, known, pattern.conditions(within(on, node, known, offset), known.size()));
      }
    };
  }

  private static List<RexNode> within(
      List<RexNode> on, RelNode node, List<Expression> known, int offset) {
    ImmutableBitSet own = ImmutableBitSet.range(offset, offset + node.getRowType().getFieldCount());
    ImmutableBitSet allowed = own.union(ImmutableBitSet.range(known.size()));
    List<RexNode> within = new ArrayList<>();
    for (RexNode conjunct : on) {
      ImmutableBitSet fields = Conjuncts.fields(conjunct);
      if (fields.intersects(own) && allowed.contains(fields)) {
        within.add(
            conjunct.accept(
                new RexShuttle() {
                  @Override
                  public RexNode visitInputRef(RexInputRef field) {
                    int index = field.getIndex();
                    return own.get(index)
                        ? new RexInputRef(index - offset + known.size(), field.getType())
                        : field;
                  }
                }));
      }
    }
    return within;
  }

  /** Plans a correlated join, whose right side is opened again for each left row. */
  public PlannedRelation plan(Correlate correlate, List<RexNode> conjuncts) {
    int leftCount = correlate.getLeft().getRowType().getFieldCount();
    List<RexNode> before = new ArrayList<>();
    List<RexNode> after = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      boolean onLeft = Conjuncts.fields(conjunct).length() <= leftCount;
      (onLeft ? before : after).add(conjunct);
    }
    PlannedRelation left = inputs.plan(correlate.getLeft(), before, RequiredOrder.NOTHING);
    context.correlated().put(correlate.getCorrelationId(), left.columns());
    JoinType kind = kind(correlate.getJoinType());
    PlannedRelation right = inputs.plan(correlate.getRight());
    return builder.filter(methods.nested(left, right, kind, null), after);
  }
}
