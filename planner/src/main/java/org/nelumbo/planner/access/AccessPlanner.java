package org.nelumbo.planner.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.access.RangeBound;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.access.ColumnCondition.Comparison;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.CommonTypes;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.schema.RowEstimates;

/**
 * Chooses how to read a table under a list of conjuncts. The candidates are:
 *
 * <ol>
 *   <li>the full primary key,
 *   <li>several full primary keys,
 *   <li>a range of an index: the longest prefix of fixed columns, then a bounded column, then the
 *       required order,
 *   <li>the whole table.
 * </ol>
 */
final class AccessPlanner {
  private static final int KEYS_MAX = 1_000;

  private final TableEntry entry;
  private final TableStore table;
  private final ConditionFinder finder;
  private final List<RexNode> conjuncts;
  private final List<ColumnCondition> conditions;
  private final RequiredOrder requiredOrder;
  private final double tableRows;
  private final ColumnEstimates estimates;

  private int ranges;

  /** True if an estimate would differ if all values were known. */
  private boolean guesses;

  /**
   * Creates a planner for one table access.
   *
   * @param requiredOrder the required order; its keys are columns of the table
   */
  AccessPlanner(
      TableEntry entry,
      ConditionFinder finder,
      List<RexNode> conjuncts,
      RequiredOrder requiredOrder) {
    this.entry = entry;
    this.table = entry.store();
    this.finder = finder;
    this.conjuncts = conjuncts;
    this.conditions = finder.find(conjuncts);
    this.requiredOrder = requiredOrder;
    this.tableRows = Math.max(2, RowEstimates.of(entry));
    this.estimates = new ColumnEstimates(entry);
  }

  AccessPath choose() {
    AccessPath point = point();
    if (point != null) {
      return point;
    }
    AccessPath best =
        AccessPath.full(tableRows, sorted(tableRows, false, true) + CostModel.FULL_PENALTY);
    AccessPath multi = multi();
    if (multi != null) {
      best = multi;
    }
    if (table.primary() != null) {
      best = better(best, range(table.primary()));
    }
    for (IndexStore index : table.indexes()) {
      best = better(best, range(index));
    }
    return best;
  }

  private static AccessPath better(AccessPath best, AccessPath other) {
    return other != null && other.cost() < best.cost() ? other : best;
  }

  private double sorted(double rows, boolean ordered, boolean filtered) {
    if (!requiredOrder.isOrdered()) {
      return rows;
    } else if (!ordered) {
      return rows * CostModel.SORT_FACTOR;
    } else if (requiredOrder.limit() == null) {
      return rows;
    }
    return Math.min(
        rows, 1 + rows * (filtered ? CostModel.LIMITED_FILTER_FACTOR : CostModel.LIMITED_FACTOR));
  }

  private ColumnCondition condition(int column, Comparison... comparisons) {
    for (Comparison comparison : comparisons) {
      for (ColumnCondition condition : conditions) {
        if (condition.column() == column && condition.comparison() == comparison) {
          return condition;
        }
      }
    }
    return null;
  }

  private AccessPath point() {
    int[] primaryKey = entry.schema().primaryKey();
    Expression[] key = new Expression[primaryKey.length];
    BitSet decided = new BitSet();
    for (int i = 0; i < key.length; i++) {
      ColumnCondition condition = condition(primaryKey[i], Comparison.EQUAL);
      if (condition == null) {
        return null;
      }
      key[i] = condition.value();
      decide(decided, condition);
    }
    return AccessPath.point(key, decided);
  }

  private static void decide(BitSet decided, ColumnCondition condition) {
    if (condition.exact()) {
      decided.set(condition.conjunct());
    }
  }

  private AccessPath multi() {
    AccessPath lists = multiByLists();
    return lists != null ? lists : multiByAlternatives();
  }

  /**
   * Returns a path for a condition in which every primary key column equals a value or is in a
   * list, or null.
   */
  private AccessPath multiByLists() {
    int[] primaryKey = entry.schema().primaryKey();
    List<Expression[]> keys = new ArrayList<>();
    keys.add(new Expression[primaryKey.length]);
    BitSet decided = new BitSet();
    for (int i = 0; i < primaryKey.length; i++) {
      ColumnCondition condition = condition(primaryKey[i], Comparison.EQUAL, Comparison.IN);
      if (condition == null || keys.size() * condition.values().size() > KEYS_MAX) {
        return null;
      }
      decide(decided, condition);
      List<Expression[]> longer = new ArrayList<>();
      for (Expression[] key : keys) {
        for (Expression value : condition.values()) {
          Expression[] copy = key.clone();
          copy[i] = value;
          longer.add(copy);
        }
      }
      keys = longer;
    }
    return AccessPath.multi(keys.toArray(Expression[][]::new), decided);
  }

  /**
   * Returns a path for a disjunction whose alternatives all determine the full primary key, or
   * null.
   */
  private AccessPath multiByAlternatives() {
    for (int i = 0; i < conjuncts.size(); i++) {
      if (conjuncts.get(i).getKind() == SqlKind.OR) {
        AccessPath path = alternatives((RexCall) conjuncts.get(i), i);
        if (path != null) {
          return path;
        }
      }
    }
    return null;
  }

  private AccessPath alternatives(RexCall or, int conjunct) {
    int[] primaryKey = entry.schema().primaryKey();
    List<Expression[]> keys = new ArrayList<>();
    boolean exact = true;
    for (RexNode alternative : or.getOperands()) {
      Expression[] key = new Expression[primaryKey.length];
      exact &= fillFrom(alternative, key);
      fillFromOuter(key, primaryKey);
      if (!isComplete(key) || keys.size() >= KEYS_MAX) {
        return null;
      }
      keys.add(key);
    }
    BitSet decided = new BitSet();
    decided.set(conjunct, exact);
    return AccessPath.multi(keys.toArray(Expression[][]::new), decided);
  }

  /** Returns true if the alternative contains no other conditions. */
  private boolean fillFrom(RexNode alternative, Expression[] key) {
    List<RexNode> parts = Conjuncts.of(alternative);
    int used = 0;
    for (ColumnCondition condition : finder.find(parts)) {
      int position = entry.schema().primaryKeyPosition(condition.column());
      if (position >= 0 && condition.comparison() == Comparison.EQUAL && key[position] == null) {
        key[position] = condition.value();
        used += condition.exact() ? 1 : 0;
      }
    }
    return used == parts.size();
  }

  private void fillFromOuter(Expression[] key, int[] primaryKey) {
    for (int i = 0; i < key.length; i++) {
      ColumnCondition outer = condition(primaryKey[i], Comparison.EQUAL);
      if (key[i] == null && outer != null) {
        key[i] = outer.value();
      }
    }
  }

  private static boolean isComplete(Expression[] key) {
    for (Expression value : key) {
      if (value == null) {
        return false;
      }
    }
    return true;
  }

  private int[] columns(IndexStore index) {
    return index.isPrimary() ? entry.schema().primaryKey() : index.schema().columns();
  }

  private boolean isDescending(IndexStore index, int position) {
    return !index.isPrimary()
        && position < index.schema().columns().length
        && index.schema().descending()[position];
  }

  private AccessPath range(IndexStore index) {
    int[] columns = columns(index);
    List<Expression> equals = new ArrayList<>();
    BitSet decided = new BitSet();
    int position = 0;
    for (; position < columns.length; position++) {
      ColumnCondition condition =
          condition(columns[position], Comparison.EQUAL, Comparison.IS_NULL);
      if (condition == null) {
        break;
      }
      equals.add(condition.comparison() == Comparison.IS_NULL ? null : condition.value());
      decide(decided, condition);
    }
    ColumnCondition list =
        position < columns.length ? condition(columns[position], Comparison.IN) : null;
    if (list != null && CommonTypes.of(list.values()) == null) {
      list = null;
    }
    RangeBound lower = null;
    RangeBound upper = null;
    if (position < columns.length && list == null) {
      lower = bound(columns[position], ColumnCondition::isLower, decided);
      upper = bound(columns[position], ColumnCondition::isUpper, decided);
    }
    Order order = list == null ? order(index, columns, position) : Order.NONE;
    AccessPath.IndexRange range =
        new AccessPath.IndexRange(
            index,
            equals.toArray(Expression[]::new),
            list == null ? null : list.values().toArray(Expression[]::new),
            lower,
            upper,
            order != Order.BACKWARD);
    if (!range.isBounded() && order == Order.NONE) {
      return null;
    }
    if (list != null) {
      decide(decided, list);
    }
    boolean ordered = order != Order.NONE;
    ranges++;
    double rows = estimate(columns, position, list, lower, upper);
    double cost = sorted(rows, ordered, decided.cardinality() < conjuncts.size());
    return AccessPath.range(range, decided, rows, list == null ? cost : cost + 1, ordered);
  }

  private RangeBound bound(int column, Predicate<ColumnCondition> side, BitSet decided) {
    for (ColumnCondition condition : conditions) {
      if (condition.column() == column && side.test(condition)) {
        decide(decided, condition);
        return new RangeBound(condition.value(), condition.isInclusive());
      }
    }
    return null;
  }

  private double estimate(
      int[] columns, int fixed, ColumnCondition list, RangeBound lower, RangeBound upper) {
    double rows =
        estimates.equalRows(tableRows, Arrays.copyOf(columns, list == null ? fixed : fixed + 1));
    for (int i = 0; i < fixed; i++) {
      ColumnCondition condition = condition(columns[i], Comparison.EQUAL, Comparison.IS_NULL);
      Expression value = condition.values().isEmpty() ? null : condition.value();
      rows *= estimates.frequency(columns[i], value);
      noteUse(columns[i], value, true);
    }
    if (list != null) {
      double frequencies = 0;
      for (Expression value : list.values()) {
        frequencies += estimates.frequency(columns[fixed], value);
      }
      rows *= frequencies;
    }
    if (lower != null || upper != null) {
      rows *= estimates.within(columns[fixed], lower, upper);
      noteUse(columns[fixed], lower == null ? upper.value() : lower.value(), false);
    }
    return Math.max(1, rows);
  }

  private void noteUse(int column, Expression value, boolean equality) {
    guesses |= value != null && estimates.needsValue(column, value, equality);
  }

  /** Returns true if there was a choice that could differ if all values were known. */
  boolean needsValues() {
    return ranges > 1 && guesses;
  }

  /** Returns true if an estimate would differ if all values were known. */
  boolean guesses() {
    return guesses;
  }

  private enum Order {
    NONE,
    FORWARD,
    BACKWARD
  }

  /** Fixed columns are ignored. */
  private Order order(IndexStore index, int[] columns, int fixed) {
    if (!requiredOrder.isOrdered()) {
      return Order.NONE;
    }
    Boolean backward = null;
    int position = fixed;
    for (RequiredOrder.Key key : requiredOrder.keys()) {
      ColumnCondition constant = condition(key.field(), Comparison.EQUAL, Comparison.IS_NULL);
      if (constant != null) {
        continue;
      }
      boolean nullsMatter = entry.store().layout().type(key.field()).nullable();
      if (position >= columns.length
          || !index.isInOrder()
          || columns[position] != key.field()
          || (nullsMatter && key.nullsHigh())) {
        return Order.NONE;
      }
      boolean reversed = isDescending(index, position) != key.descending();
      if (backward != null && backward != reversed) {
        return Order.NONE;
      }
      backward = reversed;
      position++;
    }
    return Boolean.TRUE.equals(backward) ? Order.BACKWARD : Order.FORWARD;
  }
}
