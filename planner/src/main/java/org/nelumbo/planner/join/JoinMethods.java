package org.nelumbo.planner.join;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.join.AdaptiveJoin;
import org.nelumbo.executor.op.join.FirstRowsScan;
import org.nelumbo.executor.op.join.HashJoin;
import org.nelumbo.executor.op.join.JoinType;
import org.nelumbo.executor.op.join.LookupJoin;
import org.nelumbo.executor.op.join.NestedLoopIndexJoin;
import org.nelumbo.planner.access.AccessPath;
import org.nelumbo.planner.access.ColumnEstimates;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.ColumnLists;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.LosslessCasts;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * The methods of joining two relations: rows of the right one are looked up by keys of the left
 * one, or one of them is hashed.
 */
public final class JoinMethods {
  /** Maximum number of rows that an adaptive join reads before it chooses. */
  private static final int MOST_FIRST_ROWS = 1 << 16;

  private final PlanContext context;
  private final RelationBuilder builder;
  private final ScanPlanner scans;

  public JoinMethods(PlanContext context, ScanPlanner scans) {
    this.context = context;
    this.builder = new RelationBuilder(context);
    this.scans = scans;
  }

  /**
   * Joins a planned left side with a relation. Looks rows up by key if the left side determines
   * one, unless reading the whole relation is much cheaper.
   *
   * @param on conditions over the fields of both sides
   * @param kind LEFT, SEMI or ANTI
   * @param wanted estimated number of rows of the left side that are read
   */
  public PlannedRelation join(
      PlannedRelation left, JoinInput relation, List<RexNode> on, JoinType kind, double wanted) {
    ScanPattern pattern = relation.pattern();
    if (pattern != null && !context.isRepeated() && !context.hasGuesses()) {
      List<RexNode> conditions = pattern.conditions(on, left.columns().size());
      double lookups = lookups(pattern, left.columns(), conditions, wanted);
      List<RexNode> own = Sides.of(on, left.columns().size()).right;
      if (lookups >= 0 && isHashBetter(pattern, own, wanted, lookups)) {
        return whole(left, relation, on, kind, -1);
      }
    }
    return keyed(left, relation, on, kind, wanted);
  }

  /**
   * Joins a planned left side with a relation. Looks rows up by key if the left side determines
   * one. If the number of left rows is a guess, and reading the whole relation would be cheaper for
   * many more rows, the join chooses when it runs.
   *
   * @param wanted estimated number of rows of the left side that are read
   */
  PlannedRelation keyed(
      PlannedRelation left, JoinInput relation, List<RexNode> on, JoinType kind, double wanted) {
    ScanPattern pattern = relation.pattern();
    if (pattern == null) {
      return whole(left, relation, on, kind, -1);
    }
    List<RexNode> conditions = pattern.conditions(on, left.columns().size());
    double many = wanted * CostModel.GUESSED;
    double lookups = lookups(pattern, left.columns(), conditions, many);
    if (lookups < 0) {
      return whole(left, relation, on, kind, -1);
    }
    List<RexNode> own = Sides.of(on, left.columns().size()).right;
    boolean mayHash = context.hasGuesses() && !context.isRepeated();
    if (!mayHash || !isHashBetter(pattern, own, many, lookups)) {
      return lookup(left, pattern, conditions, kind);
    }
    double saved = lookups / many - CostModel.HASH_GAIN * CostModel.PROBE;
    double limit = CostModel.HASH_GAIN * hashCost(pattern, own) / saved;
    return adaptive(left, pattern, on, kind, limit);
  }

  /**
   * Returns true if a join that would read a whole relation may turn out to be cheaper with
   * lookups, because the number of left rows is a guess.
   */
  boolean mayLookUp(PlannedRelation left, JoinInput relation, List<RexNode> on) {
    ScanPattern pattern = relation.pattern();
    return pattern != null
        && context.hasGuesses()
        && !context.isRepeated()
        && isBound(pattern, left.columns(), pattern.conditions(on, left.columns().size()));
  }

  private PlannedRelation adaptive(
      PlannedRelation left, ScanPattern pattern, List<RexNode> on, JoinType kind, double limit) {
    context.noteUseOfValues();
    List<RexNode> conditions = pattern.conditions(on, left.columns().size());
    int slot = context.shape().addSlot(ColumnType.of(Kind.VARCHAR));
    ScanPlanner.Target target = scans.target(pattern, left.columns());
    PlannedRelation lookups = lookup(firstRows(left, slot), target, pattern, conditions, kind);
    Sides sides = Sides.of(on, left.columns().size());
    PlannedRelation scan = scans.plan(target, pattern.conditions(sides.right, 0));
    PlannedRelation right = scan.withColumns(pattern.columns(scan.columns()));
    PlannedRelation hashing = hash(firstRows(left, slot), right, sides.both, kind);
    Operator operator =
        new AdaptiveJoin(
            left.operator(),
            lookups.operator(),
            hashing.operator(),
            slot,
            (int) Math.clamp(limit, CostModel.LEAST_HASHED, MOST_FIRST_ROWS));
    return new PlannedRelation(operator, lookups.columns(), lookups.rows(), hashing.order());
  }

  private static PlannedRelation firstRows(PlannedRelation left, int slot) {
    return left.withOperator(new FirstRowsScan(left.operator().output(), slot));
  }

  /**
   * The conditions of a join.
   *
   * @param right conditions on the right side only, over its fields
   * @param both the others, over the fields of both sides
   */
  private record Sides(List<RexNode> right, List<RexNode> both) {
    static Sides of(List<RexNode> on, int leftCount) {
      Sides sides = new Sides(new ArrayList<>(), new ArrayList<>());
      for (RexNode conjunct : on) {
        ImmutableBitSet fields = Conjuncts.fields(conjunct);
        if (!fields.isEmpty() && fields.nth(0) >= leftCount) {
          sides.right.add(RexUtil.shift(conjunct, -leftCount));
        } else {
          sides.both.add(conjunct);
        }
      }
      return sides;
    }
  }

  /** Negative if no key is determined. */
  double lookups(
      ScanPattern pattern, List<Expression> known, List<RexNode> conditions, double rows) {
    ScanPlanner.Target target = scans.probe(pattern, known);
    AccessPath path = scans.choose(target, conditions, RequiredOrder.NOTHING);
    if (!path.isBoundBy(conditions, known.size())) {
      return -1;
    }
    double found = new ColumnEstimates(target.entry()).scaled(path);
    boolean scattered = path.range() != null && !path.range().index().isPrimary();
    return rows * (CostModel.LOOKUP + found * (scattered ? CostModel.SCATTERED : 1));
  }

  /**
   * Returns true if reading the whole table is cheaper than lookups. Reading it locks the whole
   * table, so this is considered only for many rows and large tables.
   *
   * @param own conditions on the table, over the fields of the relation
   * @param lookups cost of the lookups
   */
  boolean isHashBetter(ScanPattern pattern, List<RexNode> own, double rows, double lookups) {
    if (rows < CostModel.LEAST_HASHED || pattern.entry().statistics() == null) {
      return false;
    }
    double hash = hashCost(pattern, own) + rows * CostModel.PROBE;
    return lookups > hash * CostModel.HASH_GAIN;
  }

  /** Returns the cost of reading a table and hashing its rows. */
  private double hashCost(ScanPattern pattern, List<RexNode> own) {
    ScanPlanner.Target target = scans.probe(pattern, List.of());
    List<RexNode> conditions = pattern.conditions(own, 0);
    AccessPath path = scans.choose(target, conditions, RequiredOrder.NOTHING);
    return path.cost() + path.rows() * scans.share(target, ScanPlanner.residual(path, conditions));
  }

  /**
   * Joins a planned left side with a relation that is read as a whole.
   *
   * @param rightRows estimated number of rows of the relation; negative if unknown
   */
  PlannedRelation whole(
      PlannedRelation left, JoinInput relation, List<RexNode> on, JoinType kind, double rightRows) {
    Sides sides = Sides.of(on, left.columns().size());
    PlannedRelation planned = relation.plan(sides.right, RequiredOrder.NOTHING);
    PlannedRelation right = rightRows < 0 ? planned : planned.withRows(rightRows);
    return hash(left, kind == JoinType.LEFT ? builder.materialize(right) : right, sides.both, kind);
  }

  /**
   * Reads the right table by keys from the left row.
   *
   * @param conditions conditions over the left columns and the columns of the table
   */
  public PlannedRelation lookup(
      PlannedRelation left, ScanPattern scanPattern, List<RexNode> conditions, JoinType kind) {
    return lookup(left, scans.target(scanPattern, left.columns()), scanPattern, conditions, kind);
  }

  private PlannedRelation lookup(
      PlannedRelation left,
      ScanPlanner.Target target,
      ScanPattern scanPattern,
      List<RexNode> conditions,
      JoinType kind) {
    AccessPath path = scans.choose(target, conditions, RequiredOrder.NOTHING);
    RexTranslator translator = new RexTranslator(context, target.fields());
    Expression condition = translator.conjunction(ScanPlanner.residual(path, conditions));
    Operator operator;
    if (path.kind() == AccessPath.Kind.POINT) {
      LookupJoin.Lookup lookup =
          new LookupJoin.Lookup(
              target.entry().store(), target.row(), path.keys()[0], target.lockMode());
      operator = new LookupJoin(left.operator(), lookup, kind, condition);
    } else {
      Operator scan = scans.operator(target, path, null);
      operator = new NestedLoopIndexJoin(left.operator(), scan, kind, condition);
    }
    List<Expression> columns = left.columns();
    if (kind.showsRight()) {
      List<Expression> right = scanPattern.columns(target.columns());
      columns =
          ColumnLists.concat(columns, kind == JoinType.LEFT ? ColumnLists.absent(right) : right);
    }
    ProvidedOrder order =
        path.kind() == AccessPath.Kind.POINT ? left.order() : left.order().repeated(left.columns());
    return new PlannedRelation(operator, columns, Math.max(1, left.rows() * path.rows()), order);
  }

  boolean isBound(ScanPattern scanPattern, List<Expression> known, List<RexNode> conditions) {
    ScanPlanner.Target target = scans.probe(scanPattern, known);
    AccessPath path = scans.choose(target, conditions, RequiredOrder.NOTHING);
    return path.isBoundBy(conditions, known.size());
  }

  /**
   * Joins two planned sides by hashing. Hashes the right one, or the smaller one if the row order
   * does not matter. Sides that can be padded with NULLs are materialized.
   */
  public PlannedRelation hash(
      PlannedRelation left, PlannedRelation right, List<RexNode> on, JoinType kind) {
    int leftCount = left.columns().size();
    RexTranslator translator =
        new RexTranslator(context, ColumnLists.concat(left.columns(), right.columns()));
    List<Expression> leftKeys = new ArrayList<>();
    List<Expression> rightKeys = new ArrayList<>();
    List<RexNode> rest = new ArrayList<>();
    for (RexNode conjunct : on) {
      if (!addKeys(conjunct, leftCount, translator, leftKeys, rightKeys)) {
        rest.add(conjunct);
      }
    }
    boolean keepsOrder = left.order().isSorted() && kind != JoinType.FULL;
    boolean swapped =
        kind == JoinType.INNER && !leftKeys.isEmpty() && !keepsOrder && left.rows() < right.rows();
    Operator operator =
        new HashJoin(
            (swapped ? right : left).operator(),
            (swapped ? left : right).operator(),
            ColumnLists.array(swapped ? rightKeys : leftKeys),
            ColumnLists.array(swapped ? leftKeys : rightKeys),
            kind,
            translator.conjunction(rest),
            keepsOrder ? HashJoin.RowOrder.OF_LEFT_SIDE : HashJoin.RowOrder.ANY);
    List<Expression> columns = left.columns();
    if (kind.showsRight()) {
      boolean leftMissing = kind == JoinType.FULL;
      boolean rightMissing = kind == JoinType.FULL || kind == JoinType.LEFT;
      columns =
          ColumnLists.concat(
              leftMissing ? ColumnLists.absent(left.columns()) : left.columns(),
              rightMissing ? ColumnLists.absent(right.columns()) : right.columns());
    }
    double rows =
        leftKeys.isEmpty() ? left.rows() * right.rows() : Math.max(left.rows(), right.rows());
    return new PlannedRelation(
        operator,
        columns,
        rows,
        kind == JoinType.FULL ? ProvidedOrder.NONE : left.order().repeated(left.columns()));
  }

  private static boolean addKeys(
      RexNode conjunct,
      int leftCount,
      RexTranslator translator,
      List<Expression> leftKeys,
      List<Expression> rightKeys) {
    if (conjunct.getKind() != SqlKind.EQUALS) {
      return false;
    }
    RexNode a = ((RexCall) conjunct).getOperands().get(0);
    RexNode b = ((RexCall) conjunct).getOperands().get(1);
    if (side(a, leftCount) > side(b, leftCount)) {
      RexNode swap = a;
      a = b;
      b = swap;
    }
    if (side(a, leftCount) != -1 || side(b, leftCount) != 1) {
      return false;
    }
    leftKeys.add(translator.translate(LosslessCasts.strip(a)));
    rightKeys.add(translator.translate(LosslessCasts.strip(b)));
    return true;
  }

  /**
   * Returns -1 if a node refers to the left side only, 1 if to the right side only, 0 if to both or
   * neither.
   */
  private static int side(RexNode node, int leftCount) {
    ImmutableBitSet fields = Conjuncts.fields(node);
    if (fields.isEmpty()) {
      return 0;
    }
    boolean left = fields.nth(0) < leftCount;
    boolean right = fields.length() > leftCount;
    return left == right ? 0 : left ? -1 : 1;
  }

  /** Joins with a right side that refers to the left row through the frame. */
  public PlannedRelation nested(
      PlannedRelation left, PlannedRelation plannedRight, JoinType kind, Expression condition) {
    PlannedRelation right =
        kind == JoinType.LEFT ? builder.materialize(plannedRight) : plannedRight;
    Operator operator = new NestedLoopIndexJoin(left.operator(), right.operator(), kind, condition);
    List<Expression> columns = left.columns();
    if (kind.showsRight()) {
      columns =
          ColumnLists.concat(
              columns,
              kind == JoinType.LEFT ? ColumnLists.absent(right.columns()) : right.columns());
    }
    double rows = kind.showsRight() ? left.rows() * right.rows() : left.rows();
    return new PlannedRelation(
        operator, columns, Math.max(1, rows), left.order().repeated(left.columns()));
  }
}
