package org.nelumbo.planner.join;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlTypes;

/**
 * Transforms join conditions so that more of them decide keys:
 *
 * <ul>
 *   <li>Conjuncts that all alternatives of an OR contain are factored out.
 *   <li>A comparison of a column with a constant is copied to the columns that are equal to it.
 *   <li>If a column is equal to two others, these are equal, too.
 *   <li>An OR over several relations implies a weaker condition on each of them.
 * </ul>
 */
final class JoinConditions {
  private static final RexBuilder REX = new RexBuilder(NelumboTypeFactory.INSTANCE);

  private static final Set<SqlKind> ORDERING =
      EnumSet.of(
          SqlKind.EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL);

  /** Conditions derived from an OR with more alternatives cost more than they save. */
  private static final int MOST_ALTERNATIVES = 8;

  /** Larger sets of equal columns are not expanded: the number of pairs would be too large. */
  private static final int MOST_EQUAL = 10;

  private JoinConditions() {}

  /** Returns the conjuncts, with the common conjuncts of all alternatives of an OR factored out. */
  static List<RexNode> factored(List<RexNode> conjuncts) {
    List<RexNode> factored = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      if (conjunct.getKind() == SqlKind.OR) {
        factor((RexCall) conjunct, factored);
      } else {
        factored.add(conjunct);
      }
    }
    return factored;
  }

  private static void factor(RexCall or, List<RexNode> to) {
    List<RexNode> alternatives = RexTranslator.flatten(or);
    Set<RexNode> common = new LinkedHashSet<>(Conjuncts.of(alternatives.getFirst()));
    for (int i = 1; i < alternatives.size() && !common.isEmpty(); i++) {
      common.retainAll(Conjuncts.of(alternatives.get(i)));
    }
    common.removeIf(each -> !Conjuncts.isDeterministic(each));
    if (common.isEmpty()) {
      to.add(or);
      return;
    }
    to.addAll(common);
    List<RexNode> rest = new ArrayList<>();
    for (RexNode alternative : alternatives) {
      List<RexNode> parts = Conjuncts.of(alternative);
      parts.removeAll(common);
      if (parts.isEmpty()) {
        return; // this alternative has no other conditions
      }
      rest.add(RexUtil.composeConjunction(REX, parts));
    }
    to.add(RexUtil.composeDisjunction(REX, rest));
  }

  /**
   * Returns derived conditions: a comparison of a column with a constant also holds for equal
   * columns.
   */
  static List<RexNode> transferred(List<RexNode> conjuncts) {
    Map<Integer, Set<Integer>> equal = equalColumns(conjuncts);
    List<RexNode> derived = new ArrayList<>();
    if (equal.isEmpty()) {
      return derived;
    }
    Set<RexNode> known = new HashSet<>(conjuncts);
    for (RexNode conjunct : conjuncts) {
      RexInputRef column = comparedToConstant(conjunct);
      if (column != null && equal.containsKey(column.getIndex())) {
        for (int other : equal.get(column.getIndex())) {
          RexNode moved = withColumn((RexCall) conjunct, column, other);
          if (known.add(moved)) {
            derived.add(moved);
          }
        }
      }
    }
    return derived;
  }

  /**
   * Returns, for each column that equals others, the set of all equal columns in order of
   * occurrence.
   */
  static Map<Integer, Set<Integer>> equalColumns(List<RexNode> conjuncts) {
    Map<Integer, Set<Integer>> equal = new LinkedHashMap<>();
    for (RexNode conjunct : conjuncts) {
      if (isColumnEquality(conjunct)) {
        RexCall call = (RexCall) conjunct;
        join(equal, field(call.getOperands().get(0)), field(call.getOperands().get(1)));
      }
    }
    return equal;
  }

  /**
   * Returns equalities between columns of two relations that follow by transitivity.
   *
   * @param leafOf maps a field to its relation
   */
  static List<RexNode> transitive(List<RexNode> conjuncts, IntUnaryOperator leafOf) {
    Map<Integer, RexNode> references = new HashMap<>();
    Set<Set<Integer>> known = new HashSet<>();
    for (RexNode conjunct : conjuncts) {
      if (isColumnEquality(conjunct)) {
        List<RexNode> operands = ((RexCall) conjunct).getOperands();
        operands.forEach(operand -> references.put(field(operand), operand));
        known.add(new HashSet<>(List.of(field(operands.get(0)), field(operands.get(1)))));
      }
    }
    List<RexNode> derived = new ArrayList<>();
    for (Set<Integer> columns : new LinkedHashSet<>(equalColumns(conjuncts).values())) {
      if (columns.size() < 3 || columns.size() > MOST_EQUAL) {
        continue;
      }
      for (int a : columns) {
        for (int b : columns) {
          boolean apart = a < b && leafOf.applyAsInt(a) != leafOf.applyAsInt(b);
          if (apart && !known.contains(Set.of(a, b))) {
            derived.add(
                REX.makeCall(SqlStdOperatorTable.EQUALS, references.get(a), references.get(b)));
          }
        }
      }
    }
    return derived;
  }

  private static int field(RexNode reference) {
    return ((RexInputRef) reference).getIndex();
  }

  private static void join(Map<Integer, Set<Integer>> equal, int a, int b) {
    Set<Integer> merged = new LinkedHashSet<>();
    merged.addAll(equal.getOrDefault(a, Set.of(a)));
    merged.addAll(equal.getOrDefault(b, Set.of(b)));
    merged.forEach(each -> equal.put(each, merged));
  }

  /** Returns true if a conjunct is an equality of two columns of one type. */
  static boolean isColumnEquality(RexNode conjunct) {
    if (conjunct.getKind() != SqlKind.EQUALS) {
      return false;
    }
    RexNode a = ((RexCall) conjunct).getOperands().get(0);
    RexNode b = ((RexCall) conjunct).getOperands().get(1);
    return a instanceof RexInputRef
        && b instanceof RexInputRef
        && SqlTypes.toColumnType(a.getType())
            .orNull()
            .equals(SqlTypes.toColumnType(b.getType()).orNull());
  }

  /** Returns true if a condition is an inequality between a column and a constant. */
  static boolean isRange(RexNode conjunct) {
    return conjunct.getKind() != SqlKind.EQUALS && comparedToConstant(conjunct) != null;
  }

  /**
   * Returns the column that a condition compares with a constant, or null if it is not such a
   * comparison.
   */
  private static RexInputRef comparedToConstant(RexNode conjunct) {
    if (!ORDERING.contains(conjunct.getKind())
        || Conjuncts.hasSubQuery(conjunct)
        || !Conjuncts.isDeterministic(conjunct)) {
      return null;
    }
    RexNode a = ((RexCall) conjunct).getOperands().get(0);
    RexNode b = ((RexCall) conjunct).getOperands().get(1);
    if (a instanceof RexInputRef column && RexUtil.isConstant(b)) {
      return column;
    }
    return b instanceof RexInputRef column && RexUtil.isConstant(a) ? column : null;
  }

  private static RexNode withColumn(RexCall comparison, RexInputRef column, int other) {
    RexNode moved = new RexInputRef(other, column.getType());
    List<RexNode> operands = new ArrayList<>(comparison.getOperands());
    operands.set(operands.get(0) instanceof RexInputRef ? 0 : 1, moved);
    return comparison.clone(comparison.getType(), operands);
  }

  /**
   * Returns the condition on the relation with these fields that an OR over several relations
   * implies, or null.
   */
  static RexNode partOf(RexNode conjunct, ImmutableBitSet fields) {
    if (conjunct.getKind() != SqlKind.OR) {
      return null;
    }
    List<RexNode> alternatives = RexTranslator.flatten((RexCall) conjunct);
    if (alternatives.size() > MOST_ALTERNATIVES) {
      return null;
    }
    List<RexNode> parts = new ArrayList<>();
    for (RexNode alternative : alternatives) {
      List<RexNode> own = new ArrayList<>();
      for (RexNode part : Conjuncts.of(alternative)) {
        ImmutableBitSet refers = Conjuncts.fields(part);
        boolean usable = Conjuncts.isDeterministic(part) && !Conjuncts.hasSubQuery(part);
        if (usable && !refers.isEmpty() && fields.contains(refers)) {
          own.add(part);
        }
      }
      if (own.isEmpty()) {
        return null;
      }
      parts.add(RexUtil.composeConjunction(REX, own));
    }
    return REX.makeCall(SqlStdOperatorTable.OR, parts);
  }
}
