package org.nelumbo.planner.physical;

import java.util.BitSet;

/**
 * The order in which relations are joined, each to all before it. Up to ten relations all orders
 * are compared by dynamic programming; of more, the relation comes next that costs least.
 *
 * @param leaves the relations in this order
 * @param hashed of each, whether it is to be read as a whole
 * @param rows of each, rows that the join has with it
 */
record JoinOrder(int[] leaves, boolean[] hashed, double[] rows) {
  private static final int MOST_COMPARED = 10;

  /**
   * The cheapest order.
   *
   * @param penalties of each relation, what it costs to begin with it
   */
  static JoinOrder of(JoinCosts costs, int count, double[] penalties) {
    return count <= MOST_COMPARED
        ? cheapest(costs, count, penalties)
        : greedy(costs, count, penalties);
  }

  private static JoinOrder cheapest(JoinCosts costs, int count, double[] penalties) {
    int sets = 1 << count;
    double[] cost = new double[sets];
    double[] rows = new double[sets];
    byte[] last = new byte[sets];
    boolean[] hashed = new boolean[sets];
    for (int set = 1; set < sets; set++) {
      cost[set] = Double.MAX_VALUE;
      for (int leaf = count - 1; leaf >= 0; leaf--) { // of equals the order of the text
        int before = set & ~(1 << leaf);
        if (before == set) {
          continue;
        }
        double total = penalties[leaf] + costs.start(leaf);
        double joined = costs.rows(leaf);
        boolean hash = false;
        if (before != 0) {
          BitSet members = BitSet.valueOf(new long[] {before});
          JoinCosts.Step step = costs.step(rows[before], members, leaf);
          joined = step.rows();
          total = cost[before] + step.cost() + joined * CostModel.PROBE;
          hash = step.hashed();
        }
        if (total < cost[set]) {
          cost[set] = total;
          rows[set] = joined;
          last[set] = (byte) leaf;
          hashed[set] = hash;
        }
      }
    }
    JoinOrder order = new JoinOrder(new int[count], new boolean[count], new double[count]);
    for (int set = sets - 1, at = count - 1; set != 0; set &= ~(1 << last[set]), at--) {
      order.leaves[at] = last[set];
      order.hashed[at] = hashed[set];
      order.rows[at] = rows[set];
    }
    return order;
  }

  private static JoinOrder greedy(JoinCosts costs, int count, double[] penalties) {
    JoinOrder order = new JoinOrder(new int[count], new boolean[count], new double[count]);
    BitSet members = new BitSet();
    for (int at = 0; at < count; at++) {
      double best = Double.MAX_VALUE;
      for (int leaf = 0; leaf < count; leaf++) {
        if (members.get(leaf)) {
          continue;
        }
        JoinCosts.Step step =
            at == 0
                ? new JoinCosts.Step(penalties[leaf] + costs.start(leaf), false, costs.rows(leaf))
                : costs.step(order.rows[at - 1], members, leaf);
        if (step.cost() + step.rows() < best) {
          best = step.cost() + step.rows();
          order.leaves[at] = leaf;
          order.hashed[at] = step.hashed();
          order.rows[at] = step.rows();
        }
      }
      members.set(order.leaves[at]);
    }
    return order;
  }
}
