package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.join.JoinType;

/**
 * Plans a tree of inner joins: finds the cheapest order of the relations in it, and joins each one
 * to those before.
 */
final class InnerJoinPlanner {
  private final RelationBuilder builder;
  private final ScanPlanner scans;
  private final JoinPlanner joins;
  private final InputPlanner inputs;
  private final List<RelNode> leaves = new ArrayList<>();
  private final List<Integer> offsets = new ArrayList<>();
  private final List<RexNode> conjuncts = new ArrayList<>();

  /** Conditions on single relations that follow from the conjuncts. */
  private final List<RexNode> derived = new ArrayList<>();

  private final int fieldCount;
  private JoinCosts costs;

  /**
   * Fields of the joined row so far: of each field of the whole join its position, -1 if not yet
   * there.
   */
  private final int[] positions;

  InnerJoinPlanner(
      RelationBuilder builder,
      ScanPlanner scans,
      JoinPlanner joins,
      InputPlanner inputs,
      Join join) {
    this.builder = builder;
    this.scans = scans;
    this.joins = joins;
    this.inputs = inputs;
    this.fieldCount = join.getRowType().getFieldCount();
    flattenSides(join, 0);
    this.positions = new int[fieldCount];
    Arrays.fill(positions, -1);
  }

  private void flatten(RelNode node, int offset) {
    boolean inner =
        node instanceof Join join
            && join.getJoinType() == JoinRelType.INNER
            && !Conjuncts.hasSubQuery(join.getCondition());
    if (inner) {
      flattenSides((Join) node, offset);
    } else if (node instanceof Filter filter
        && filter.getInput() instanceof Join
        && !Conjuncts.hasSubQuery(filter.getCondition())) {
      flatten(filter.getInput(), offset);
      addAll(filter.getCondition(), offset);
    } else {
      leaves.add(node);
      offsets.add(offset);
    }
  }

  private void flattenSides(Join join, int offset) {
    flatten(join.getLeft(), offset);
    flatten(join.getRight(), offset + join.getLeft().getRowType().getFieldCount());
    addAll(join.getCondition(), offset);
  }

  private void addAll(RexNode condition, int offset) {
    for (RexNode conjunct : Conjuncts.of(condition)) {
      conjuncts.add(Conjuncts.shift(conjunct, offset));
    }
  }

  PlannedRelation plan(List<RexNode> above, RequiredOrder requiredOrder) {
    conjuncts.addAll(above);
    derive();
    JoinOrder order = order(requiredOrder);
    PlannedRelation joined = start(order.leaves()[0], requiredOrder);
    for (int i = 1; i < leaves.size(); i++) {
      joined = add(joined.withRows(order.rows()[i - 1]), order.leaves()[i], order.hashed()[i]);
    }
    List<Expression> columns = new ArrayList<>();
    for (int field = 0; field < fieldCount; field++) {
      columns.add(joined.columns().get(positions[field]));
    }
    return builder.filter(
        joined.withRows(order.rows()[leaves.size() - 1]).withColumns(columns), conjuncts);
  }

  /** Finds conditions on single relations that follow from those there are. */
  private void derive() {
    List<RexNode> factored = JoinConditions.factored(conjuncts);
    conjuncts.clear();
    conjuncts.addAll(factored);
    derived.addAll(JoinConditions.transferred(factored));
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

  /** The order in which the relations are joined; a part of it may be the order of the result. */
  private JoinOrder order(RequiredOrder requiredOrder) {
    costs = new JoinCosts(scans, leaves, offsets, conjuncts, derived);
    double[] penalties = new double[leaves.size()];
    if (requiredOrder.isOrdered()) {
      for (int leaf = 0; leaf < penalties.length; leaf++) {
        boolean orders = wanted(leaf, requiredOrder).isOrdered();
        penalties[leaf] = orders ? 0 : costs.start(leaf) * (sortFactor(requiredOrder) - 1);
      }
    }
    return JoinOrder.of(costs, leaves.size(), penalties);
  }

  /**
   * How many times as much it costs not to begin with the relation that the result is ordered by:
   * it has to be sorted, and where only the first rows are wanted, all are to be found for that.
   */
  private double sortFactor(RequiredOrder requiredOrder) {
    if (requiredOrder.limit() == null) {
      return CostModel.SORT_FACTOR;
    }
    boolean filtered = IntStream.range(0, leaves.size()).anyMatch(leaf -> !own(leaf).isEmpty());
    return 1 / (filtered ? CostModel.LIMITED_FILTER_FACTOR : CostModel.LIMITED_FACTOR);
  }

  private int count(int leaf) {
    return leaves.get(leaf).getRowType().getFieldCount();
  }

  private ImmutableBitSet fields(int leaf) {
    return ImmutableBitSet.range(offsets.get(leaf), offsets.get(leaf) + count(leaf));
  }

  /** Conjuncts over one relation alone, over its own fields. */
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

  private PlannedRelation start(int leaf, RequiredOrder requiredOrder) {
    PlannedRelation started = inputs.plan(leaves.get(leaf), own(leaf), wanted(leaf, requiredOrder));
    conjuncts.removeIf(
        conjunct ->
            !Conjuncts.fields(conjunct).isEmpty()
                && fields(leaf).contains(Conjuncts.fields(conjunct)));
    place(leaf, 0);
    return started;
  }

  private void place(int leaf, int position) {
    for (int i = 0; i < count(leaf); i++) {
      positions[offsets.get(leaf) + i] = position + i;
    }
  }

  /**
   * Conjuncts that can be checked once a relation is there, over the joined row with it at the end.
   */
  private List<RexNode> on(int leaf, int leftCount) {
    List<RexNode> on = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      if (isBound(conjunct, leaf)) {
        on.add(renumbered(conjunct, leaf, leftCount));
      }
    }
    return on;
  }

  private boolean isBound(RexNode conjunct, int leaf) {
    ImmutableBitSet refers = Conjuncts.fields(conjunct);
    for (int field : refers) {
      if (positions[field] < 0 && !fields(leaf).get(field)) {
        return false;
      }
    }
    return refers.intersects(fields(leaf));
  }

  private RexNode renumbered(RexNode conjunct, int leaf, int leftCount) {
    return conjunct.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            int field = reference.getIndex();
            int position =
                positions[field] >= 0 ? positions[field] : leftCount + field - offsets.get(leaf);
            return new RexInputRef(position, reference.getType());
          }
        });
  }

  private PlannedRelation add(PlannedRelation joined, int leaf, boolean hashed) {
    int leftCount = joined.columns().size();
    List<RexNode> on = on(leaf, leftCount);
    for (RexNode condition : derived) {
      boolean told = !hashed && condition.getKind() != SqlKind.OR; // by the key that is looked up
      if (!told && fields(leaf).contains(Conjuncts.fields(condition))) {
        on.add(RexUtil.shift(condition, leftCount - offsets.get(leaf)));
      }
    }
    conjuncts.removeIf(conjunct -> isBound(conjunct, leaf));
    PlannedRelation result =
        hashed
            ? joins.whole(joined, leaves.get(leaf), on, JoinType.INNER, costs.rows(leaf))
            : joins.join(joined, leaves.get(leaf), on, JoinType.INNER);
    place(leaf, leftCount);
    return result;
  }
}
