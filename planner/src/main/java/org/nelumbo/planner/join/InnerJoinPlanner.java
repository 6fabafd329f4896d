package org.nelumbo.planner.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.join.JoinType;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;

/** Plans inner joins: finds the cheapest order of its relations and joins them. */
public final class InnerJoinPlanner {
  private final RelationBuilder builder;
  private final ScanPlanner scans;
  private final JoinMethods methods;
  private final List<JoinInput> leaves;
  private final List<Integer> offsets = new ArrayList<>();
  private final List<RexNode> conjuncts = new ArrayList<>();

  /** Conditions on single relations that follow from the conjuncts. */
  private final List<RexNode> derived = new ArrayList<>();

  /** Equalities between two relations that follow from the conjuncts. */
  private final List<RexNode> transitive = new ArrayList<>();

  private final int fieldCount;
  private JoinCosts costs;

  /**
   * The join of a subset of the relations.
   *
   * @param positions for each field of the whole join, its position in the joined row, or -1 if it
   *     is absent
   */
  private record Joined(PlannedRelation relation, int[] positions) {}

  /**
   * Creates a planner of one join.
   *
   * @param on conditions over the fields of all relations
   */
  public InnerJoinPlanner(
      PlanContext context,
      ScanPlanner scans,
      JoinMethods methods,
      List<? extends JoinInput> relations,
      List<RexNode> on) {
    this.builder = new RelationBuilder(context);
    this.scans = scans;
    this.methods = methods;
    this.leaves = List.copyOf(relations);
    int count = 0;
    for (JoinInput leaf : leaves) {
      offsets.add(count);
      count += leaf.types().size();
    }
    this.fieldCount = count;
    this.conjuncts.addAll(on);
  }

  /**
   * Plans the join.
   *
   * @param above further conditions that all rows must satisfy
   */
  public PlannedRelation plan(List<RexNode> above, RequiredOrder requiredOrder) {
    conjuncts.addAll(above);
    derive();
    Joined joined = plan(order(requiredOrder), requiredOrder);
    List<Expression> columns = new ArrayList<>();
    for (int field = 0; field < fieldCount; field++) {
      columns.add(joined.relation.columns().get(joined.positions[field]));
    }
    return builder.filter(joined.relation.withColumns(columns), conjuncts);
  }

  private Joined plan(JoinTree tree, RequiredOrder requiredOrder) {
    Joined joined =
        switch (tree) {
          case JoinTree.Start start -> start(start.leaf(), requiredOrder);
          case JoinTree.Added added ->
              add(plan(added.left(), requiredOrder), added.leaf(), added.hashed());
          case JoinTree.Hashed hashed ->
              hash(
                  plan(hashed.left(), RequiredOrder.NOTHING),
                  plan(hashed.right(), RequiredOrder.NOTHING));
        };
    return new Joined(joined.relation.withRows(tree.rows()), joined.positions);
  }

  private void derive() {
    List<RexNode> factored = JoinConditions.factored(conjuncts);
    conjuncts.clear();
    conjuncts.addAll(factored);
    for (RexNode condition : JoinConditions.transferred(factored)) {
      if (!JoinConditions.isRange(condition)
          || isSampled(leafOf(Conjuncts.fields(condition).nth(0)))) {
        derived.add(condition);
      }
    }
    transitive.addAll(JoinConditions.transitive(factored, this::leafOf));
    for (RexNode conjunct : factored) {
      ImmutableBitSet refers = Conjuncts.fields(conjunct);
      for (int leaf = 0; leaf < leaves.size(); leaf++) {
        boolean several = refers.intersects(fields(leaf)) && !fields(leaf).contains(refers);
        RexNode part = several ? JoinConditions.partOf(conjunct, fields(leaf)) : null;
        if (part != null && CostModel.selectivity(part) < 0.5) {
          derived.add(part);
        }
      }
    }
  }

  /** Small tables have no statistics. */
  private boolean isSampled(int leaf) {
    ScanPattern pattern = leaves.get(leaf).pattern();
    return pattern != null && pattern.entry().statistics() != null;
  }

  /** The first relation may provide the required order. */
  private JoinTree order(RequiredOrder requiredOrder) {
    List<RexNode> all = new ArrayList<>(conjuncts);
    all.addAll(transitive);
    costs = new JoinCosts(scans, leaves, offsets, all, derived);
    double[] penalties = new double[leaves.size()];
    boolean anyOrders = false;
    if (requiredOrder.isOrdered()) {
      for (int leaf = 0; leaf < penalties.length; leaf++) {
        boolean orders = wanted(leaf, requiredOrder).isOrdered();
        anyOrders |= orders;
        penalties[leaf] = orders ? 0 : costs.start(leaf) * (sortFactor(requiredOrder) - 1);
      }
    }
    return new JoinOrder(costs, leaves.size(), penalties, !anyOrders).find();
  }

  /**
   * A join that does not start with the relation by which the result is ordered has to be sorted;
   * if only the first rows are needed, all rows are needed for the sort.
   */
  private double sortFactor(RequiredOrder requiredOrder) {
    if (requiredOrder.limit() == null) {
      return CostModel.SORT_FACTOR;
    }
    boolean filtered = IntStream.range(0, leaves.size()).anyMatch(leaf -> !own(leaf).isEmpty());
    return 1 / (filtered ? CostModel.LIMITED_FILTER_FACTOR : CostModel.LIMITED_FACTOR);
  }

  private int count(int leaf) {
    return leaves.get(leaf).types().size();
  }

  private int leafOf(int field) {
    int leaf = leaves.size() - 1;
    while (offsets.get(leaf) > field) {
      leaf--;
    }
    return leaf;
  }

  private ImmutableBitSet fields(int leaf) {
    return ImmutableBitSet.range(offsets.get(leaf), offsets.get(leaf) + count(leaf));
  }

  private List<RexNode> own(int leaf) {
    List<RexNode> own = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      ImmutableBitSet refers = Conjuncts.fields(conjunct);
      if (!refers.isEmpty() && fields(leaf).contains(refers)) {
        own.add(RexUtil.shift(conjunct, -offsets.get(leaf)));
      }
    }
    for (RexNode condition : derived) {
      if (fields(leaf).contains(Conjuncts.fields(condition))) {
        own.add(RexUtil.shift(condition, -offsets.get(leaf)));
      }
    }
    return own;
  }

  private RequiredOrder wanted(int leaf, RequiredOrder requiredOrder) {
    RequiredOrder keys = new RequiredOrder(requiredOrder.keys(), null);
    return keys.mapped(field -> fields(leaf).get(field) ? field - offsets.get(leaf) : -1);
  }

  private Joined start(int leaf, RequiredOrder requiredOrder) {
    PlannedRelation started = leaves.get(leaf).plan(own(leaf), wanted(leaf, requiredOrder));
    conjuncts.removeIf(
        conjunct ->
            !Conjuncts.fields(conjunct).isEmpty()
                && fields(leaf).contains(Conjuncts.fields(conjunct)));
    return new Joined(started, positions(leaf));
  }

  private int[] positions(int leaf) {
    int[] positions = new int[fieldCount];
    Arrays.fill(positions, -1);
    for (int i = 0; i < count(leaf); i++) {
      positions[offsets.get(leaf) + i] = i;
    }
    return positions;
  }

  private static int[] concat(int[] left, int[] right, int leftCount) {
    int[] positions = left.clone();
    for (int field = 0; field < positions.length; field++) {
      if (right[field] >= 0) {
        positions[field] = leftCount + right[field];
      }
    }
    return positions;
  }

  /**
   * Removes and returns the conjuncts that can be checked when the right side is joined, over the
   * joined row.
   *
   * @param positions positions in the joined row, whose first {@code leftCount} fields are the left
   *     side
   */
  private List<RexNode> takeOn(int[] positions, int leftCount) {
    List<RexNode> on = new ArrayList<>();
    conjuncts.removeIf(
        conjunct -> {
          boolean bound = isBound(conjunct, positions, leftCount);
          if (bound) {
            on.add(renumbered(conjunct, positions));
          }
          return bound;
        });
    addTransitive(positions, leftCount, on);
    return on;
  }

  private void addTransitive(int[] positions, int leftCount, List<RexNode> on) {
    BitSet known = new BitSet();
    for (RexNode conjunct : on) {
      if (JoinConditions.isColumnEquality(conjunct)) {
        Conjuncts.fields(conjunct).forEachInt(known::set);
      }
    }
    transitive.removeIf(
        conjunct -> {
          boolean bound = isBound(conjunct, positions, leftCount);
          int right = bound ? rightField(conjunct, positions, leftCount) : 0;
          if (bound && !known.get(right)) {
            known.set(right);
            on.add(renumbered(conjunct, positions));
          }
          return bound;
        });
  }

  private static int rightField(RexNode equality, int[] positions, int leftCount) {
    int right = -1;
    for (int field : Conjuncts.fields(equality)) {
      right = Math.max(right, positions[field]);
    }
    assert right >= leftCount : "equality=" + equality;
    return right;
  }

  private static boolean isBound(RexNode conjunct, int[] positions, int leftCount) {
    boolean onRight = false;
    for (int field : Conjuncts.fields(conjunct)) {
      if (positions[field] < 0) {
        return false;
      }
      onRight |= positions[field] >= leftCount;
    }
    return onRight;
  }

  private static RexNode renumbered(RexNode conjunct, int[] positions) {
    return conjunct.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return new RexInputRef(positions[reference.getIndex()], reference.getType());
          }
        });
  }

  private Joined add(Joined left, int leaf, boolean hashed) {
    int leftCount = left.relation.columns().size();
    int[] positions = concat(left.positions, positions(leaf), leftCount);
    List<RexNode> on = takeOn(positions, leftCount);
    for (RexNode condition : derived) {
      boolean told = !hashed && condition.getKind() != SqlKind.OR; // the lookup key implies it
      if (!told && fields(leaf).contains(Conjuncts.fields(condition))) {
        on.add(RexUtil.shift(condition, leftCount - offsets.get(leaf)));
      }
    }
    PlannedRelation relation = left.relation;
    JoinInput input = leaves.get(leaf);
    PlannedRelation result =
        hashed && !methods.mayLookUp(relation, input, on)
            ? methods.whole(relation, input, on, JoinType.INNER, costs.rows(leaf))
            : methods.keyed(relation, input, on, JoinType.INNER, relation.rows());
    return new Joined(result, positions);
  }

  private Joined hash(Joined left, Joined right) {
    int leftCount = left.relation.columns().size();
    int[] positions = concat(left.positions, right.positions, leftCount);
    List<RexNode> on = takeOn(positions, leftCount);
    return new Joined(methods.hash(left.relation, right.relation, on, JoinType.INNER), positions);
  }
}
