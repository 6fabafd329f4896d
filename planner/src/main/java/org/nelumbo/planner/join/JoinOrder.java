package org.nelumbo.planner.join;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.nelumbo.planner.relation.CostModel;

/**
 * Finds the order in which relations are joined.
 *
 * <p>For up to ten relations, dynamic programming over sets of relations compares all orders. These
 * are the orders that add one relation after the other, and bushy joins of relations that
 * equalities connect.
 *
 * <p>For more relations, two greedy trees are built, and the cheaper one is used. The first always
 * adds the relation with the least cost. The second always joins the two joins whose result has the
 * fewest rows (GOO, Fegaras 1998).
 */
public final class JoinOrder {
  private static final int MOST_COMPARED = 10;

  private final JoinEstimates costs;
  private final int count;
  private final double[] penalties;
  private final boolean bushy;
  private int considered;

  /**
   * Creates a search.
   *
   * @param penalties for each relation, the additional cost of starting with it
   * @param bushy whether bushy joins are allowed; they lose the row order of the first relation
   */
  public JoinOrder(JoinEstimates costs, int count, double[] penalties, boolean bushy) {
    this.costs = costs;
    this.count = count;
    this.penalties = penalties;
    this.bushy = bushy;
  }

  /** Returns the cheapest tree that was found. */
  public JoinTree find() {
    if (count <= MOST_COMPARED) {
      return cheapest();
    }
    JoinTree oneByOne = oneByOne();
    return bushy ? preferred(oneByOne, smallestFirst()) : oneByOne;
  }

  /** Returns the number of joins that were considered. */
  public int considered() {
    return considered;
  }

  /** The bushy tree has to be cheaper by a margin, because estimation errors add up. */
  private static JoinTree preferred(JoinTree tree, JoinTree hashed) {
    boolean better = hashed != null && hashed.cost() * CostModel.BUSHY_GAIN < tree.cost();
    return better ? hashed : tree;
  }

  private JoinTree start(int leaf) {
    return new JoinTree.Start(leaf, costs.rows(leaf), penalties[leaf] + costs.start(leaf));
  }

  private JoinTree added(JoinTree left, BitSet members, int leaf) {
    considered++;
    JoinEstimates.Step step = costs.step(left.rows(), members, leaf);
    double cost = left.cost() + step.cost() + step.rows() * CostModel.PROBE;
    return new JoinTree.Added(left, leaf, step.hashed(), step.rows(), cost);
  }

  /**
   * Hashes the smaller join. Returns null if there are so few rows that lookups by key are
   * preferred.
   */
  private JoinTree hashed(JoinTree a, JoinTree b, double rows) {
    considered++;
    JoinTree probed = a.rows() >= b.rows() ? a : b;
    JoinTree built = probed == a ? b : a;
    if (probed.rows() < CostModel.LEAST_HASHED) {
      return null;
    }
    double cost =
        probed.cost() + built.cost() + built.rows() + (probed.rows() + rows) * CostModel.PROBE;
    return new JoinTree.Hashed(probed, built, rows, cost);
  }

  private JoinTree cheapest() {
    int sets = 1 << count;
    JoinTree[] best = new JoinTree[sets];
    boolean[] connected = new boolean[sets];
    int[] near = new int[count];
    for (int leaf = 0; leaf < count && bushy; leaf++) {
      near[leaf] = mask(costs.neighbours(leaf));
    }
    for (int set = 1; set < sets; set++) {
      for (int leaf = count - 1; leaf >= 0; leaf--) { // on equal cost keeps the textual order
        int before = set & ~(1 << leaf);
        if (before == set) {
          continue;
        }
        connected[set] |= before == 0 || connected[before] && (near[leaf] & before) != 0;
        JoinTree tree =
            before == 0
                ? start(leaf)
                : added(best[before], BitSet.valueOf(new long[] {before}), leaf);
        if (best[set] == null || tree.cost() < best[set].cost()) {
          best[set] = tree;
        }
      }
      if (bushy && connected[set]) {
        best[set] = preferred(best[set], cheapestOfHalves(set, best, connected));
      }
    }
    return best[sets - 1];
  }

  private static int mask(BitSet members) {
    return members.isEmpty() ? 0 : (int) members.toLongArray()[0];
  }

  private JoinTree cheapestOfHalves(int set, JoinTree[] best, boolean[] connected) {
    JoinTree cheapest = null;
    int others = set & (set - 1);
    for (int half = (others - 1) & others; half != 0; half = (half - 1) & others) {
      int rest = set & ~half;
      boolean several = Integer.bitCount(half) > 1 && Integer.bitCount(rest) > 1;
      if (several && connected[half] && connected[rest]) {
        JoinTree tree = hashed(best[rest], best[half], best[set].rows());
        boolean better = tree != null && (cheapest == null || tree.cost() < cheapest.cost());
        cheapest = better ? tree : cheapest;
      }
    }
    return cheapest;
  }

  private JoinTree oneByOne() {
    BitSet members = new BitSet();
    JoinTree tree = null;
    for (int at = 0; at < count; at++) {
      JoinTree best = null;
      int next = 0;
      for (int leaf = 0; leaf < count; leaf++) {
        if (members.get(leaf)) {
          continue;
        }
        JoinTree longer = tree == null ? start(leaf) : added(tree, members, leaf);
        if (best == null || weight(longer) < weight(best)) {
          best = longer;
          next = leaf;
        }
      }
      tree = best;
      members.set(next);
    }
    return tree;
  }

  private static double weight(JoinTree tree) {
    return tree.cost() + tree.rows();
  }

  private record Part(JoinTree tree, BitSet members, BitSet near) {
    int leaf() {
      return tree instanceof JoinTree.Start ? members.nextSetBit(0) : -1;
    }
  }

  private JoinTree smallestFirst() {
    List<Part> parts = new ArrayList<>();
    List<Part> pairs = new ArrayList<>();
    for (int leaf = 0; leaf < count; leaf++) {
      BitSet members = new BitSet();
      members.set(leaf);
      addPart(new Part(start(leaf), members, costs.neighbours(leaf)), parts, pairs);
    }
    while (parts.size() > 1) {
      Part smallest = null;
      for (Part pair : pairs) {
        if (smallest == null || isSmaller(pair.tree, smallest.tree)) {
          smallest = pair;
        }
      }
      if (smallest == null) {
        return null;
      }
      Part joined = smallest;
      parts.removeIf(part -> part.members.intersects(joined.members));
      pairs.removeIf(pair -> pair.members.intersects(joined.members));
      addPart(joined, parts, pairs);
    }
    return parts.getFirst().tree;
  }

  private static boolean isSmaller(JoinTree tree, JoinTree other) {
    return tree.rows() < other.rows() || tree.rows() == other.rows() && tree.cost() < other.cost();
  }

  private void addPart(Part added, List<Part> parts, List<Part> pairs) {
    for (Part part : parts) {
      if (part.near.intersects(added.members)) {
        pairs.add(joined(part, added));
      }
    }
    parts.add(added);
  }

  private Part joined(Part a, Part b) {
    JoinTree tree = null;
    if (b.leaf() >= 0) {
      tree = added(a.tree, a.members, b.leaf());
    }
    if (a.leaf() >= 0) {
      JoinTree other = added(b.tree, b.members, a.leaf());
      tree = tree == null || other.cost() < tree.cost() ? other : tree;
    }
    if (tree == null) {
      double rows = a.tree.rows() * b.tree.rows() * costs.share(a.members, b.members);
      tree = hashed(a.tree, b.tree, Math.max(1, rows));
    }
    if (tree == null) {
      tree = appended(a, b);
    }
    BitSet members = (BitSet) a.members.clone();
    members.or(b.members);
    BitSet near = (BitSet) a.near.clone();
    near.or(b.near);
    return new Part(tree, members, near);
  }

  private JoinTree appended(Part a, Part b) {
    JoinTree tree = a.tree;
    BitSet members = (BitSet) a.members.clone();
    BitSet left = (BitSet) b.members.clone();
    while (!left.isEmpty()) {
      JoinTree best = null;
      int next = 0;
      for (int leaf = left.nextSetBit(0); leaf >= 0; leaf = left.nextSetBit(leaf + 1)) {
        JoinTree longer = added(tree, members, leaf);
        if (best == null || longer.cost() < best.cost()) {
          best = longer;
          next = leaf;
        }
      }
      tree = best;
      members.set(next);
      left.clear(next);
    }
    return tree;
  }
}
