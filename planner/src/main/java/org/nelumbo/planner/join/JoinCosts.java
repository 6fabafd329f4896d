package org.nelumbo.planner.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.planner.access.AccessPath;
import org.nelumbo.planner.access.ColumnEstimates;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.LosslessCasts;
import org.nelumbo.planner.type.SqlTypes;

/**
 * Estimates costs and row counts of inner joins.
 *
 * <p>The number of rows of a set of relations is the product of the rows of each relation under its
 * own conditions and of a selectivity for each joined pair. The selectivity is 1/n, where n is the
 * number of distinct values on the side with more of them, within the range that is read of each
 * side. In a unique key all rows are distinct. A join by key returns no more rows than the key
 * finds.
 */
final class JoinCosts implements JoinEstimates {
  private final ScanPlanner scans;
  private final List<JoinInput> leaves;
  private final List<Integer> offsets;
  private final List<RexNode> conjuncts;

  private final List<RexNode> derived;

  /**
   * For each equality of two relations, the number of its equivalence class: equalities that imply
   * each other count once.
   */
  private final int[] causes;

  /** For each column that equals another one, its first equality. */
  private final Map<Integer, Integer> firstEqualities = new HashMap<>();

  /** For each pair of relations, the bit set of the classes of its equalities. */
  private final long[][] pairCauses;

  /** For each conjunct, the relations to which it refers. */
  private final List<BitSet> sides = new ArrayList<>();

  /** Fields that equal constants. */
  private final BitSet fixed = new BitSet();

  /** For each relation, its form as a table that can be read by key, or null. */
  private final ScanPattern[] patterns;

  /**
   * For each relation: its rows, its rows under its own conditions, and the cost of reading them.
   */
  private final double[] allRows;

  private final double[] ownRows;
  private final double[] readCosts;

  /** Relations whose own conditions determine a key. */
  private final BitSet keyed = new BitSet();

  /** For each pair of relations, the selectivity of its equalities. */
  private final double[][] shares;

  /** Placeholders for the fields that are known when the next relation is read, one per field. */
  private final List<Expression> places = new ArrayList<>();

  private final Map<Binding, Fetch> lookups = new HashMap<>();

  private record Binding(int leaf, BitSet conjuncts) {}

  /**
   * The estimate of reading a relation by key.
   *
   * @param rows rows per outer row; negative if there is no such key
   * @param perRow cost of each of these rows if many are read
   * @param guessed whether {@code rows} does not come from a sample. Then it is capped by the
   *     number of matching rows, unless the key is a range
   */
  private record Fetch(double rows, double perRow, boolean guessed) {}

  JoinCosts(
      ScanPlanner scans,
      List<JoinInput> leaves,
      List<Integer> offsets,
      List<RexNode> conjuncts,
      List<RexNode> derived) {
    this.scans = scans;
    this.leaves = leaves;
    this.offsets = offsets;
    this.conjuncts = conjuncts;
    this.derived = derived;
    int count = leaves.size();
    this.patterns = new ScanPattern[count];
    this.allRows = new double[count];
    this.ownRows = new double[count];
    this.readCosts = new double[count];
    this.shares = new double[count][count];
    this.pairCauses = new long[count][count];
    this.causes = new int[conjuncts.size()];
    for (JoinInput leaf : leaves) {
      leaf.types().forEach(type -> places.add(Expressions.slot(SqlTypes.toColumnType(type), 0)));
    }
    conjuncts.forEach(conjunct -> sides.add(leavesOf(Conjuncts.fields(conjunct))));
    Stream.concat(conjuncts.stream(), derived.stream())
        .mapToInt(JoinCosts::fixedField)
        .filter(field -> field >= 0)
        .forEach(fixed::set);
    for (int leaf = 0; leaf < count; leaf++) {
      estimate(leaf);
    }
    for (double[] row : shares) {
      Arrays.fill(row, 1);
    }
    findCauses();
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < a; b++) {
        shares[a][b] = share(a, b, 0);
        shares[b][a] = shares[a][b];
      }
    }
  }

  private void findCauses() {
    Map<Set<Integer>, Integer> numbers = new HashMap<>();
    Map<Integer, Set<Integer>> equal = JoinConditions.equalColumns(conjuncts);
    for (int i = 0; i < conjuncts.size(); i++) {
      if (sides.get(i).cardinality() != 2 || !isEquality(conjuncts.get(i))) {
        continue;
      }
      int cause = numbers.size();
      Set<Integer> key = Set.of(-1 - i);
      if (JoinConditions.isColumnEquality(conjuncts.get(i))) {
        for (int field : Conjuncts.fields(conjuncts.get(i))) {
          firstEqualities.putIfAbsent(field, i);
          key = equal.get(field);
        }
      }
      causes[i] = Math.min(numbers.computeIfAbsent(key, ignored -> cause), Long.SIZE - 1);
      int a = sides.get(i).nextSetBit(0);
      int b = sides.get(i).nextSetBit(a + 1);
      pairCauses[a][b] |= 1L << causes[i];
      pairCauses[b][a] |= 1L << causes[i];
    }
  }

  private BitSet leavesOf(ImmutableBitSet fields) {
    BitSet found = new BitSet();
    for (int field : fields) {
      found.set(leafOf(field));
    }
    return found;
  }

  private int leafOf(int field) {
    int leaf = leaves.size() - 1;
    while (offsets.get(leaf) > field) {
      leaf--;
    }
    return leaf;
  }

  private TableEntry table(int leaf) {
    return patterns[leaf] == null ? null : patterns[leaf].entry();
  }

  private void estimate(int leaf) {
    patterns[leaf] = leaves.get(leaf).pattern();
    List<RexNode> own = own(leaf);
    if (patterns[leaf] == null) {
      allRows[leaf] = leaves.get(leaf).rows();
      ownRows[leaf] = Math.max(1, allRows[leaf] * CostModel.selectivity(own));
      readCosts[leaf] = allRows[leaf];
      return;
    }
    ColumnEstimates columns = new ColumnEstimates(table(leaf));
    allRows[leaf] = columns.rows();
    ScanPlanner.Target target = scans.probe(patterns[leaf], List.of());
    List<RexNode> conditions = patterns[leaf].conditions(own, 0);
    AccessPath path = scans.choose(target, conditions, RequiredOrder.NOTHING);
    double read = columns.scaled(path);
    keyed.set(leaf, path.isKeyed());
    readCosts[leaf] = path.isKeyed() ? CostModel.LOOKUP + read : read;
    ownRows[leaf] = Math.max(1, read * scans.share(target, ScanPlanner.residual(path, conditions)));
  }

  private List<RexNode> own(int leaf) {
    List<RexNode> own = new ArrayList<>();
    for (int i = 0; i < conjuncts.size(); i++) {
      if (sides.get(i).cardinality() == 1 && sides.get(i).get(leaf)) {
        own.add(RexUtil.shift(conjuncts.get(i), -offsets.get(leaf)));
      }
    }
    for (RexNode condition : derived) {
      if (leafOf(Conjuncts.fields(condition).nth(0)) == leaf) {
        own.add(RexUtil.shift(condition, -offsets.get(leaf)));
      }
    }
    return own;
  }

  /**
   * Returns the selectivity of the equalities between two relations.
   *
   * @param counted classes of equalities that are already included elsewhere
   */
  private double share(int a, int b, long counted) {
    BitSet columnsOfA = new BitSet();
    BitSet columnsOfB = new BitSet();
    for (int i = 0; i < conjuncts.size(); i++) {
      BitSet pair = sides.get(i);
      RexNode conjunct = conjuncts.get(i);
      if (pair.cardinality() == 2
          && pair.get(a)
          && pair.get(b)
          && conjunct.getKind() == SqlKind.EQUALS) {
        if (isFixed(conjunct) || (counted & 1L << causes[i]) != 0) {
          continue;
        }
        for (RexNode operand : ((RexCall) conjunct).getOperands()) {
          if (LosslessCasts.strip(operand) instanceof RexInputRef column) {
            int leaf = leafOf(column.getIndex());
            (leaf == a ? columnsOfA : columnsOfB).set(column.getIndex() - offsets.get(leaf));
          }
        }
      }
    }
    if (columnsOfA.isEmpty() && columnsOfB.isEmpty()) {
      return 1;
    }
    return 1 / Math.max(distinct(a, columnsOfA), distinct(b, columnsOfB));
  }

  private boolean isFixed(RexNode equality) {
    for (int field : Conjuncts.fields(equality)) {
      if (!fixed.get(field)) {
        return false;
      }
    }
    return true;
  }

  private static int fixedField(RexNode condition) {
    if (!isEquality(condition)) {
      return -1;
    }
    RexNode a = ((RexCall) condition).getOperands().get(0);
    RexNode b = ((RexCall) condition).getOperands().get(1);
    if (a instanceof RexInputRef field && Conjuncts.fields(b).isEmpty()) {
      return field.getIndex();
    }
    return b instanceof RexInputRef field && Conjuncts.fields(a).isEmpty() ? field.getIndex() : -1;
  }

  private double distinct(int leaf, BitSet fields) {
    if (fields.isEmpty()) {
      return 1;
    }
    TableEntry table = table(leaf);
    if (table == null) {
      return Math.max(1, allRows[leaf] * CostModel.GROUPS);
    }
    int[] columns =
        fields.stream().map(field -> patterns[leaf].fields().get(field).getIndex()).toArray();
    double distinct = new ColumnEstimates(table).distinct(columns);
    List<RexNode> ranges = new ArrayList<>(own(leaf));
    ranges.removeIf(
        each -> !JoinConditions.isRange(each) || !fields.get(Conjuncts.fields(each).nth(0)));
    if (ranges.isEmpty()) {
      return distinct;
    }
    ScanPlanner.Target target = scans.probe(patterns[leaf], List.of());
    return Math.max(1, distinct * scans.share(target, patterns[leaf].conditions(ranges, 0)));
  }

  @Override
  public double rows(int leaf) {
    return ownRows[leaf];
  }

  @Override
  public BitSet neighbours(int leaf) {
    BitSet neighbours = new BitSet();
    for (int i = 0; i < conjuncts.size(); i++) {
      BitSet pair = sides.get(i);
      if (pair.cardinality() == 2 && pair.get(leaf) && isEquality(conjuncts.get(i))) {
        neighbours.or(pair);
      }
    }
    neighbours.clear(leaf);
    return neighbours;
  }

  @Override
  public double share(BitSet left, BitSet right) {
    double share = 1;
    long counted = 0;
    for (int several = 1; several >= 0; several--) { // keys of several columns come first
      for (int a = left.nextSetBit(0); a >= 0; a = left.nextSetBit(a + 1)) {
        for (int b = right.nextSetBit(0); b >= 0; b = right.nextSetBit(b + 1)) {
          long of = pairCauses[a][b];
          boolean isNew = (of & ~counted) != 0;
          if (isNew && Long.bitCount(of) > 1 == several > 0) {
            share *= (of & counted) == 0 ? shares[a][b] : share(a, b, counted);
            counted |= of;
          }
        }
      }
    }
    return share;
  }

  private double share(BitSet set, int leaf) {
    BitSet one = new BitSet();
    one.set(leaf);
    return share(one, set);
  }

  private double joined(double rows, BitSet set, int leaf) {
    double joined = rows * ownRows[leaf] * share(set, leaf);
    for (int i = 0; i < conjuncts.size(); i++) {
      boolean counted = sides.get(i).cardinality() == 2 && isEquality(conjuncts.get(i));
      if (!counted && binds(i, set, leaf)) {
        joined *= CostModel.selectivity(conjuncts.get(i));
      }
    }
    return Math.max(1, joined);
  }

  private static boolean isEquality(RexNode conjunct) {
    return conjunct.getKind() == SqlKind.EQUALS;
  }

  private boolean binds(int conjunct, BitSet set, int leaf) {
    BitSet refers = sides.get(conjunct);
    if (!refers.get(leaf) || refers.cardinality() < 2) {
      return false;
    }
    for (int side = refers.nextSetBit(0); side >= 0; side = refers.nextSetBit(side + 1)) {
      if (side != leaf && !set.get(side)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public double start(int leaf) {
    double penalty = keyed.get(leaf) ? 0 : CostModel.UNBOUND_PENALTY;
    return penalty + readCosts[leaf] + ownRows[leaf] * CostModel.PROBE;
  }

  @Override
  public Step step(double rows, BitSet set, int leaf) {
    BitSet bound = new BitSet();
    boolean equal = false;
    for (int i = 0; i < conjuncts.size(); i++) {
      if (binds(i, set, leaf)) {
        bound.set(representative(i, leaf));
        equal |= isEquality(conjuncts.get(i));
      }
    }
    double pairs = equal ? 0 : rows * ownRows[leaf];
    double hash = readCosts[leaf] + ownRows[leaf] + rows * CostModel.PROBE + pairs;
    Fetch fetch = lookups.computeIfAbsent(new Binding(leaf, bound), this::fetched);
    double joined = joined(rows, set, leaf);
    if (fetch.rows < 0) {
      return new Step(hash + CostModel.UNBOUND_PENALTY, true, joined);
    }
    double matching = fetch.guessed ? allRows[leaf] * share(set, leaf) : 0;
    double fetched = fetch.guessed ? Math.min(fetch.rows, Math.max(1, matching)) : fetch.rows;
    boolean isLarge = rows >= CostModel.LEAST_HASHED;
    double lookup = rows * (CostModel.LOOKUP + fetched * (isLarge ? fetch.perRow : 1));
    boolean hashed = isLarge && lookup > hash * CostModel.HASH_GAIN;
    return new Step(hashed ? hash : lookup, hashed, Math.min(joined, rows * fetched));
  }

  /**
   * Equalities between a column and columns that are equal to each other determine the same key.
   */
  private int representative(int conjunct, int leaf) {
    if (JoinConditions.isColumnEquality(conjuncts.get(conjunct))) {
      for (int field : Conjuncts.fields(conjuncts.get(conjunct))) {
        if (leafOf(field) == leaf) {
          return firstEqualities.getOrDefault(field, conjunct);
        }
      }
    }
    return conjunct;
  }

  private Fetch fetched(Binding binding) {
    int leaf = binding.leaf;
    if (patterns[leaf] == null) {
      return new Fetch(-1, 1, false);
    }
    List<RexNode> on = new ArrayList<>();
    for (int i = 0; i < conjuncts.size(); i++) {
      boolean own = sides.get(i).cardinality() == 1 && sides.get(i).get(leaf);
      if (own || binding.conjuncts.get(i)) {
        on.add(behindAll(conjuncts.get(i), leaf));
      }
    }
    ScanPlanner.Target target = scans.probe(patterns[leaf], places);
    List<RexNode> conditions = patterns[leaf].conditions(on, places.size());
    AccessPath path = scans.choose(target, conditions, RequiredOrder.NOTHING);
    AccessPath.IndexRange range = path.range();
    boolean bound = path.isBoundBy(conditions, places.size());
    double rows = bound ? new ColumnEstimates(table(leaf)).scaled(path) : -1;
    boolean isRange = range != null && range.equals().length == 0;
    return new Fetch(rows, perRow(path), table(leaf).statistics() == null && !isRange);
  }

  private static double perRow(AccessPath path) {
    boolean scattered = path.range() != null && !path.range().index().isPrimary();
    return scattered ? CostModel.SCATTERED : 1;
  }

  private RexNode behindAll(RexNode conjunct, int leaf) {
    return conjunct.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            int field = reference.getIndex();
            return leafOf(field) == leaf
                ? new RexInputRef(places.size() + field - offsets.get(leaf), reference.getType())
                : reference;
          }
        });
  }
}
