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
 * Brings the conditions of a join into a form in which more of them decide keys: what all
 * alternatives of an OR demand is taken out of it; a constant that a column equals, or is above or
 * below, bounds the columns equal to it in the same way; a column equal to two others makes these
 * equal; and of an OR over several relations each one gets what it says of that one.
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

  /** What is derived from an OR with more alternatives costs more than it saves. */
  private static final int MOST_ALTERNATIVES = 8;

  /** More columns that are equal make no more equalities: each one to each would be too many. */
  private static final int MOST_EQUAL = 10;

  private JoinConditions() {}

  /** The conjuncts of a condition; of an OR whose alternatives have some in common, these too. */
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
        return; // this alternative demands nothing else
      }
      rest.add(RexUtil.composeConjunction(REX, parts));
    }
    to.add(RexUtil.composeDisjunction(REX, rest));
  }

  /**
   * Conditions that follow from others: a column equals one that equals a constant, or is above or
   * below it.
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

  /** Of each column that equals others, all that are equal, in the order they are met. */
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
   * Equalities of columns of two relations that follow from others: a column that equals one that
   * equals a third one equals this one, too.
   *
   * @param leafOf of a field, its relation
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

  /** Whether two columns of one type are said to be equal. */
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

  /** Whether a condition says that a column is above or below of a value known before any row. */
  static boolean isRange(RexNode conjunct) {
    return conjunct.getKind() != SqlKind.EQUALS && comparedToConstant(conjunct) != null;
  }

  /**
   * The column that equals, or is above or below, a value known before any row is; null if a
   * condition does not say that.
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

  /** What an OR over several relations says of the one with these fields; null if nothing. */
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
