package org.nelumbo.planner.subquery;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.basic.Distinct;
import org.nelumbo.executor.op.join.JoinType;
import org.nelumbo.planner.access.AccessPath;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.join.JoinMethods;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.CommonTypes;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.type.SqlTypes;

/**
 * Reads a table by keys that come from subqueries: {@code WHERE id = (SELECT ...)} and {@code WHERE
 * id IN (SELECT ...)}, if the subquery does not refer to the row of the table. The subquery runs
 * first, so that no other rows are read or locked.
 */
public final class SubQueryKeys {
  private final ScanPlanner scans;
  private final JoinMethods methods;
  private final SubQueryPlanner subQueries;
  private final InputPlanner inputs;

  public SubQueryKeys(
      ScanPlanner scans, JoinMethods methods, SubQueryPlanner subQueries, InputPlanner inputs) {
    this.scans = scans;
    this.methods = methods;
    this.subQueries = subQueries;
    this.inputs = inputs;
  }

  /**
   * A table read by keys.
   *
   * @param conjuncts the conjuncts that still have to be checked
   */
  public record Keyed(PlannedRelation relation, List<RexNode> conjuncts) {}

  /**
   * Reads a relation by keys.
   *
   * @param plain conditions without subqueries; the result satisfies all of them
   * @param conjuncts conditions with subqueries
   * @return null if it is better to read the relation before the subqueries run
   */
  public Keyed read(RelNode relation, List<RexNode> plain, List<RexNode> conjuncts) {
    ScanPattern pattern = ScanPattern.of(relation);
    if (pattern == null) {
      return null;
    }
    Keyed byValues = byValues(pattern, plain, conjuncts);
    return byValues != null ? byValues : byList(pattern, plain, conjuncts);
  }

  /** Returns null if this is not possible. */
  private Keyed byValues(ScanPattern pattern, List<RexNode> plain, List<RexNode> conjuncts) {
    List<RexSubQuery> scalars = new ArrayList<>();
    List<RexNode> replaced = new ArrayList<>();
    List<RexNode> rest = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      List<RexSubQuery> found = subQueriesOf(conjunct);
      if (found.stream().allMatch(SubQueryKeys::isScalar)) {
        scalars.addAll(found);
        replaced.add(conjunct);
      } else {
        rest.add(conjunct);
      }
    }
    if (scalars.isEmpty()) {
      return null;
    }
    List<RexNode> on = new ArrayList<>();
    for (RexNode conjunct : replaced) {
      on.add(replaced(conjunct, scalars));
    }
    if (!on.stream().allMatch(conjunct -> neverHoldsForNull(conjunct, scalars.size()))) {
      return null;
    }
    plain.forEach(conjunct -> on.add(RexUtil.shift(conjunct, scalars.size())));
    List<RexNode> conditions = pattern.conditions(on, scalars.size());
    if (!isBound(pattern, places(scalars.stream().map(RexNode::getType).toList()), conditions)) {
      return null;
    }
    PlannedRelation values = null;
    for (RexSubQuery scalar : scalars) {
      PlannedRelation value = subQueries.single(inputs.plan(scalar.rel), scalar.rel);
      values = values == null ? value : methods.hash(values, value, List.of(), JoinType.INNER);
    }
    return keyed(values.withRows(1), pattern, conditions, rest);
  }

  private static boolean isScalar(RexSubQuery subQuery) {
    return subQuery.getKind() == SqlKind.SCALAR_QUERY
        && !SubQueryPlanner.isCorrelated(subQuery.rel);
  }

  private static List<RexSubQuery> subQueriesOf(RexNode conjunct) {
    List<RexSubQuery> found = new ArrayList<>();
    conjunct.accept(
        new RexVisitorImpl<Void>(true) {
          @Override
          public Void visitSubQuery(RexSubQuery subQuery) {
            found.add(subQuery);
            return null;
          }
        });
    return found;
  }

  private static RexNode replaced(RexNode conjunct, List<RexSubQuery> scalars) {
    return conjunct.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            return new RexInputRef(scalars.indexOf(subQuery), subQuery.getType());
          }

          @Override
          public RexNode visitInputRef(RexInputRef field) {
            return new RexInputRef(field.getIndex() + scalars.size(), field.getType());
          }
        });
  }

  /** A subquery without rows provides no key to read by. */
  private static boolean neverHoldsForNull(RexNode conjunct, int scalars) {
    for (int field : Conjuncts.fields(conjunct).intersect(ImmutableBitSet.range(scalars))) {
      if (!Strong.isNotTrue(conjunct, ImmutableBitSet.of(field))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads the table by each value of a subquery, if these are fewer than the rows that would have
   * to be read otherwise.
   */
  private Keyed byList(ScanPattern pattern, List<RexNode> plain, List<RexNode> conjuncts) {
    for (RexNode conjunct : conjuncts) {
      if (conjunct instanceof RexSubQuery subQuery && isList(subQuery)) {
        List<RexNode> rest = new ArrayList<>(conjuncts);
        rest.remove(conjunct);
        Keyed keyed = byList(pattern, plain, subQuery, rest);
        if (keyed != null) {
          return keyed;
        }
      }
    }
    return null;
  }

  private static boolean isList(RexSubQuery subQuery) {
    return subQuery.getKind() == SqlKind.IN
        && SubQueryPlanner.isJoinable(subQuery)
        && !SubQueryPlanner.isCorrelated(subQuery.rel);
  }

  private Keyed byList(
      ScanPattern pattern, List<RexNode> plain, RexSubQuery list, List<RexNode> rest) {
    int width = list.getOperands().size();
    RexBuilder rex = list.rel.getCluster().getRexBuilder();
    List<RexNode> on = new ArrayList<>();
    List<RelDataType> types = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      RexNode value = RexInputRef.of(i, list.rel.getRowType());
      RexNode operand = RexUtil.shift(list.getOperands().get(i), width);
      if (!CommonTypes.areEqualAlike(value.getType(), operand.getType())) {
        return null;
      }
      types.add(value.getType());
      on.add(rex.makeCall(SqlStdOperatorTable.EQUALS, operand, value));
    }
    plain.forEach(conjunct -> on.add(RexUtil.shift(conjunct, width)));
    List<RexNode> conditions = pattern.conditions(on, width);
    List<Expression> places = places(types);
    if (!isBound(pattern, places, conditions)) {
      return null;
    }
    double count = rows(list.rel);
    double found = path(pattern, places, conditions).rows();
    AccessPath whole = path(pattern, List.of(), pattern.conditions(plain, 0));
    double readFirst = whole.cost() + (whole.isKeyed() ? 0 : CostModel.UNBOUND_PENALTY);
    if (count * (CostModel.LOOKUP + found) > readFirst + count * CostModel.PROBE) {
      return null;
    }
    PlannedRelation values = inputs.plan(list.rel);
    PlannedRelation each =
        values.withOperator(
            new Distinct(values.operator(), values.columns().toArray(Expression[]::new)));
    return keyed(each, pattern, conditions, rest);
  }

  /**
   * The subquery is not planned for this: plans that are made and discarded at each nesting level
   * would double the planning time per level.
   */
  private double rows(RelNode query) {
    RelNode node = query;
    while (node instanceof Project project) {
      node = project.getInput();
    }
    if (node instanceof Sort sort && sort.fetch != null) {
      return CostModel.LIMITED_ROWS;
    }
    ScanPattern pattern = ScanPattern.of(node);
    if (pattern != null) {
      ScanPlanner.Target target = scans.probe(pattern, List.of());
      List<RexNode> conditions = pattern.conditions(List.of(), 0);
      AccessPath path = scans.choose(target, conditions, RequiredOrder.NOTHING);
      return Math.max(1, path.rows() * scans.share(target, ScanPlanner.residual(path, conditions)));
    }
    Double rows = node.getCluster().getMetadataQuery().getRowCount(node);
    return rows == null ? CostModel.LEAST_JOINED : Math.max(1, rows);
  }

  private static List<Expression> places(List<RelDataType> types) {
    List<Expression> places = new ArrayList<>();
    types.forEach(type -> places.add(Expressions.slot(SqlTypes.toColumnType(type), 0)));
    return places;
  }

  private AccessPath path(ScanPattern pattern, List<Expression> known, List<RexNode> conditions) {
    return scans.choose(scans.probe(pattern, known), conditions, RequiredOrder.NOTHING);
  }

  private boolean isBound(ScanPattern pattern, List<Expression> places, List<RexNode> conditions) {
    return path(pattern, places, conditions).dependsOn(conditions, places.size());
  }

  private Keyed keyed(
      PlannedRelation values, ScanPattern pattern, List<RexNode> conditions, List<RexNode> rest) {
    int count = values.columns().size();
    PlannedRelation joined = methods.lookup(values, pattern, conditions, JoinType.INNER);
    List<Expression> columns = joined.columns().subList(count, joined.columns().size());
    return new Keyed(joined.withColumns(columns), rest);
  }
}
