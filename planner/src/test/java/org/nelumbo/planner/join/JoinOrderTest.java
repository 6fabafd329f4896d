package org.nelumbo.planner.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.planner.relation.CostModel;

/** The join orders that are considered and chosen for given estimates. */
class JoinOrderTest {
  /** Relations that are read completely, and the selectivity of each pair. */
  private static final class Made implements JoinEstimates {
    final double[] rows;
    final double[][] shares;

    Made(int count) {
      rows = new double[count];
      shares = new double[count][count];
      for (int a = 0; a < count; a++) {
        rows[a] = 10_000;
        Arrays.fill(shares[a], 1);
      }
    }

    Made bind(int a, int b, double share) {
      shares[a][b] = share;
      shares[b][a] = share;
      return this;
    }

    @Override
    public double rows(int leaf) {
      return rows[leaf];
    }

    @Override
    public double start(int leaf) {
      return rows[leaf];
    }

    @Override
    public Step step(double setRows, BitSet set, int leaf) {
      BitSet one = new BitSet();
      one.set(leaf);
      double share = share(set, one);
      double joined = setRows * rows[leaf] * share;
      double hash = 2 * rows[leaf] + setRows * CostModel.PROBE + (share == 1 ? joined : 0);
      return new Step(hash, true, Math.max(1, joined));
    }

    @Override
    public BitSet neighbours(int leaf) {
      BitSet near = new BitSet();
      for (int other = 0; other < rows.length; other++) {
        near.set(other, shares[leaf][other] < 1);
      }
      return near;
    }

    @Override
    public double share(BitSet left, BitSet right) {
      double share = 1;
      for (int a = left.nextSetBit(0); a >= 0; a = left.nextSetBit(a + 1)) {
        for (int b = right.nextSetBit(0); b >= 0; b = right.nextSetBit(b + 1)) {
          share *= shares[a][b];
        }
      }
      return share;
    }

    JoinOrder search(boolean bushy) {
      return new JoinOrder(this, rows.length, new double[rows.length], bushy);
    }

    JoinTree find(boolean bushy) {
      return search(bushy).find();
    }
  }

  private static Made chain(int count) {
    Made made = new Made(count);
    for (int i = 1; i < count; i++) {
      made.bind(i - 1, i, 1e-4);
    }
    return made;
  }

  private static Made star(int count) {
    Made made = new Made(count);
    for (int i = 1; i < count; i++) {
      made.bind(0, i, 1e-4);
    }
    return made;
  }

  private static Made clique(int count) {
    Made made = new Made(count);
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < a; b++) {
        made.bind(a, b, 1e-1);
      }
    }
    return made;
  }

  private static int considered(Made made, boolean bushy) {
    JoinOrder search = made.search(bushy);
    assertEquals((1 << made.rows.length) - 1, members(search.find()));
    return search.considered();
  }

  private static int members(JoinTree tree) {
    return switch (tree) {
      case JoinTree.Start start -> 1 << start.leaf();
      case JoinTree.Added added -> {
        int before = members(added.left());
        assertEquals(0, before & 1 << added.leaf());
        yield before | 1 << added.leaf();
      }
      case JoinTree.Hashed hashed -> {
        assertEquals(0, members(hashed.left()) & members(hashed.right()));
        yield members(hashed.left()) | members(hashed.right());
      }
    };
  }

  private static boolean isBushy(JoinTree tree) {
    return switch (tree) {
      case JoinTree.Start _ -> false;
      case JoinTree.Added added -> isBushy(added.left());
      case JoinTree.Hashed _ -> true;
    };
  }

  /** Each set of relations is built from each of its members: 10 * 2^9, less the first ones. */
  @Test
  void shouldThinkOfEachOrderOnce() {
    assertEquals(10 * 512 - 10, considered(chain(10), false));
    assertEquals(10 * 512 - 10, considered(clique(10), false));
  }

  @Test
  void shouldThinkOfConnectedHalvesOnly() {
    int oneByOne = 10 * 512 - 10;
    // A connected part of k relations of a chain has k - 3 cuts into two parts of at least two.
    int cuts = 0;
    for (int k = 4; k <= 10; k++) {
      cuts += (11 - k) * (k - 3);
    }
    assertEquals(oneByOne + cuts, considered(chain(10), true));
    assertEquals(oneByOne, considered(star(10), true));
    // Half of 3^10 pairs of sets, less those with an empty set or a set of one relation.
    assertEquals(oneByOne + 23_436, considered(clique(10), true));
  }

  @Test
  void shouldPreferBushyJoinOfSmallHalves() {
    // The conditions at both ends of the chain make its halves small; the middle one multiplies the
    // rows of either half.
    Made made = chain(4).bind(0, 1, 1e-6).bind(2, 3, 1e-6).bind(1, 2, 1e-1);
    made.rows[0] = 200_000;
    made.rows[3] = 200_000;
    JoinTree tree = made.find(true);
    JoinTree.Hashed hashed = assertInstanceOf(JoinTree.Hashed.class, tree);
    assertTrue(hashed.left().rows() >= hashed.right().rows());
    assertTrue(tree.cost() * CostModel.BUSHY_GAIN < made.find(false).cost());
    assertFalse(isBushy(made.find(false)));
  }

  @Test
  void shouldNotUseBushyJoinForFewRows() {
    Made made = chain(4).bind(0, 1, 1e-1).bind(2, 3, 1e-1).bind(1, 2, 1e-1);
    for (int i = 0; i < 4; i++) {
      made.rows[i] = 20;
    }
    assertFalse(isBushy(made.find(true)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldFindTheCheapestOrder(long seed) {
    Random random = new Random(seed);
    Made made = new Made(6);
    for (int a = 0; a < 6; a++) {
      made.rows[a] = Math.pow(10, 1 + 4 * random.nextDouble());
      for (int b = 0; b < a; b++) {
        if (b == a - 1 || random.nextInt(3) == 0) {
          made.bind(a, b, Math.pow(10, -5 * random.nextDouble()) / 2);
        }
      }
    }
    double cheapest = cheapest(made, null, new BitSet());
    assertEquals(cheapest, made.find(false).cost(), cheapest * 1e-9);
    assertTrue(made.find(true).cost() <= cheapest);
  }

  /** Returns the cost of the cheapest plan by trying all orders. */
  private static double cheapest(Made made, JoinTree tree, BitSet members) {
    if (members.cardinality() == made.rows.length) {
      return tree.cost();
    }
    double cheapest = Double.MAX_VALUE;
    for (int leaf = 0; leaf < made.rows.length; leaf++) {
      if (!members.get(leaf)) {
        JoinTree longer = new JoinTree.Start(leaf, made.rows(leaf), made.start(leaf));
        if (tree != null) {
          JoinEstimates.Step step = made.step(tree.rows(), members, leaf);
          double cost = tree.cost() + step.cost() + step.rows() * CostModel.PROBE;
          longer = new JoinTree.Added(tree, leaf, true, step.rows(), cost);
        }
        BitSet more = (BitSet) members.clone();
        more.set(leaf);
        cheapest = Math.min(cheapest, cheapest(made, longer, more));
      }
    }
    return cheapest;
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 24, 60})
  void shouldThinkOfFewOrdersOfManyRelations(int count) {
    for (Made made : List.of(chain(count), star(count), clique(count))) {
      JoinOrder search = made.search(true);
      JoinTree tree = search.find();
      assertTrue(tree.cost() < Double.POSITIVE_INFINITY);
      // One by one: all remaining relations, each time; otherwise each pair, and each part again
      // with each other one.
      assertTrue(search.considered() <= 3 * count * count, () -> "" + search.considered());
    }
  }

  @Test
  void shouldJoinSmallPartsOfManyRelations() {
    int count = 12;
    Made made = chain(count);
    for (int i = 1; i < count; i++) {
      made.bind(i - 1, i, i % 2 == 1 ? 1e-7 : 1e-1);
    }
    for (int i = 0; i < count; i++) {
      made.rows[i] = 100_000;
    }
    JoinTree bushy = made.find(true);
    assertEquals((1 << count) - 1, members(bushy));
    assertTrue(bushy.cost() <= made.find(false).cost());
  }
}
