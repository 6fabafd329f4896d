package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.join.JoinType;

/**
 * Orders a tree of inner joins greedily. First comes the relation that the conditions on it alone
 * cut down most, then always the one that costs least given those before it. A relation bound by
 * key to them costs next to nothing; one without any condition to them comes last, unless constants
 * say which row it is.
 */
final class InnerJoinPlanner {
  private final RelationBuilder builder;
  private final ScanPlanner scans;
  private final JoinPlanner joins;
  private final InputPlanner inputs;
  private final List<RelNode> leaves = new ArrayList<>();
  private final List<Integer> offsets = new ArrayList<>();
  private final List<RexNode> conjuncts = new ArrayList<>();
  private final int fieldCount;

  /**
   * Fields of the joined row so far: of each field of the whole join its position, -1 if not yet
   * there.
   */
  private final int[] positions;

  private final boolean[] used;

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
    this.used = new boolean[leaves.size()];
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
    int first = first(requiredOrder);
    PlannedRelation joined = start(first, requiredOrder);
    while (true) {
      int next = next(joined);
      if (next < 0) {
        break;
      }
      joined = add(joined, next);
    }
    List<Expression> columns = new ArrayList<>();
    for (int field = 0; field < fieldCount; field++) {
      columns.add(joined.columns().get(positions[field]));
    }
    return builder.filter(joined.withColumns(columns), conjuncts);
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
    return own;
  }

  private RequiredOrder wanted(int leaf, RequiredOrder requiredOrder) {
    RequiredOrder keys = new RequiredOrder(requiredOrder.keys(), null);
    return keys.mapped(field -> fields(leaf).get(field) ? field - offsets.get(leaf) : -1);
  }

  private int first(RequiredOrder requiredOrder) {
    int best = -1;
    double bestCost = Double.MAX_VALUE;
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      double cost = cost(List.of(), 0, leaf, own(leaf));
      boolean orders = requiredOrder.isOrdered() && wanted(leaf, requiredOrder).isOrdered();
      if (orders) {
        cost *= 0.9;
      }
      if (cost < bestCost) {
        bestCost = cost;
        best = leaf;
      }
    }
    return best;
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
    used[leaf] = true;
    for (int i = 0; i < count(leaf); i++) {
      positions[offsets.get(leaf) + i] = position + i;
    }
  }

  /**
   * About how many rows of a relation there are for each row known; {@code known} are the columns
   * known.
   */
  private double cost(List<Expression> known, int leftCount, int leaf, List<RexNode> on) {
    ScanPattern scanPattern = ScanPattern.of(leaves.get(leaf));
    if (scanPattern == null) {
      return CostModel.UNBOUND_PENALTY;
    }
    ScanPlanner.Target target = scans.probe(scanPattern.scan(), known);
    List<RexNode> conditions = scanPattern.conditions(on, leftCount);
    AccessPath path = scans.choose(target, conditions, RequiredOrder.NOTHING);
    boolean bound = leftCount == 0 ? path.isKeyed() : path.isBoundBy(conditions, leftCount);
    return bound ? path.rows() : path.rows() + CostModel.UNBOUND_PENALTY;
  }

  private int next(PlannedRelation joined) {
    int best = -1;
    double bestCost = Double.MAX_VALUE;
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      if (used[leaf]) {
        continue;
      }
      List<RexNode> on = on(leaf, joined.columns().size());
      boolean connected = on.stream().anyMatch(c -> connects(c, joined.columns().size()));
      double cost = cost(joined.columns(), joined.columns().size(), leaf, on);
      boolean oneRow = cost <= 1; // what others are then bound by
      cost += connected || oneRow ? 0 : CostModel.CROSS_PENALTY;
      if (cost < bestCost) {
        bestCost = cost;
        best = leaf;
      }
    }
    return best;
  }

  private static boolean connects(RexNode conjunct, int leftCount) {
    ImmutableBitSet fields = Conjuncts.fields(conjunct);
    return !fields.isEmpty() && fields.nth(0) < leftCount && fields.length() > leftCount;
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

  private PlannedRelation add(PlannedRelation joined, int leaf) {
    int leftCount = joined.columns().size();
    List<RexNode> on = on(leaf, leftCount);
    conjuncts.removeIf(conjunct -> isBound(conjunct, leaf));
    PlannedRelation result = joins.join(joined, leaves.get(leaf), on, JoinType.INNER);
    place(leaf, leftCount);
    return result;
  }
}
