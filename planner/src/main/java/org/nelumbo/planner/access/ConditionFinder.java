package org.nelumbo.planner.access;

import com.google.common.collect.Range;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.Sarg;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.LikePattern;
import org.nelumbo.executor.op.access.KeyExpressions;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.planner.access.ColumnCondition.Comparison;
import org.nelumbo.planner.access.IndexExpressions.Term;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.LosslessCasts;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Finds the conditions on single columns of a table that a key can decide. The fields of the table
 * are a range of the fields to which the conjuncts refer; other fields are values that are known
 * before the table is read.
 */
final class ConditionFinder {
  private static final RexBuilder REX = new RexBuilder(NelumboTypeFactory.INSTANCE);
  private static final int IN_LIST_MAX = 1_000;

  /** Comparisons, which are never true for NULL. */
  private static final Set<SqlKind> COMPARISONS =
      EnumSet.of(
          SqlKind.EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL,
          SqlKind.NOT_EQUALS);

  private final RexTranslator translator;
  private final RowLayout layout;
  private final int first;
  private final int count;

  /** Hidden columns, and those of them that hold values for all requested rows. */
  private final List<Term> terms;

  private List<Term> usable = List.of();

  /**
   * Creates a finder.
   *
   * @param first field of the table's column 0
   * @param count number of visible columns of the table
   * @param terms the hidden columns of the table
   */
  ConditionFinder(
      RexTranslator translator, RowLayout layout, int first, int count, List<Term> terms) {
    this.translator = translator;
    this.layout = layout;
    this.first = first;
    this.count = count;
    this.terms = terms;
  }

  List<ColumnCondition> find(List<RexNode> conjuncts) {
    usable = terms.stream().filter(term -> isImplied(term, conjuncts)).toList();
    List<ColumnCondition> found = new ArrayList<>();
    for (int i = 0; i < conjuncts.size(); i++) {
      find(conjuncts.get(i), i, found);
    }
    for (Term term : usable) {
      addCopies(term, found);
    }
    return found;
  }

  private static boolean isImplied(Term term, List<RexNode> conjuncts) {
    return term.condition().stream()
        .allMatch(
            needed ->
                conjuncts.contains(needed)
                    || (needed.getKind() == SqlKind.IS_NOT_NULL
                        && isNotNull(((RexCall) needed).getOperands().getFirst(), conjuncts)));
  }

  private static boolean isNotNull(RexNode value, List<RexNode> conjuncts) {
    return conjuncts.stream()
        .anyMatch(
            conjunct ->
                COMPARISONS.contains(conjunct.getKind())
                    && ((RexCall) conjunct).getOperands().contains(value));
  }

  private void addCopies(Term term, List<ColumnCondition> found) {
    if (!(term.key() instanceof RexInputRef reference)) {
      return;
    }
    int column = reference.getIndex() - first;
    for (ColumnCondition each : List.copyOf(found)) {
      if (each.column() == column && each.comparison() != Comparison.IS_NULL) {
        found.add(
            new ColumnCondition(
                term.column(), each.comparison(), each.values(), each.conjunct(), each.exact()));
      }
    }
  }

  private void find(RexNode conjunct, int number, List<ColumnCondition> found) {
    switch (conjunct.getKind()) {
      case EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          comparison((RexCall) conjunct, number, found);
      case IS_NULL -> isNull((RexCall) conjunct, number, found);
      case INPUT_REF -> truth(conjunct, number, true, found);
      case NOT -> truth(((RexCall) conjunct).getOperands().getFirst(), number, false, found);
      case OR -> inList((RexCall) conjunct, number, found);
      case SEARCH -> search((RexCall) conjunct, number, found);
      case LIKE -> like((RexCall) conjunct, number, found);
      default -> {}
    }
  }

  /** Returns the ordinal of the column that a node stands for, or -1 if it is not a column. */
  int column(RexNode node) {
    if (LosslessCasts.stripToKey(node) instanceof RexInputRef reference) {
      int column = reference.getIndex() - first;
      return column >= 0 && column < count ? column : -1;
    }
    for (Term term : usable) {
      if (node.equals(term.key())) {
        return term.column();
      }
    }
    return -1;
  }

  /**
   * Returns the value of a node that does not refer to the table and can be a key of the column, or
   * null.
   */
  Expression value(int column, RexNode node) {
    if (Conjuncts.hasSubQuery(node) || !Conjuncts.isDeterministic(node) || refersToTable(node)) {
      return null;
    }
    Expression value = translator.translate(LosslessCasts.strip(node));
    return KeyExpressions.isUsable(layout.type(column), value) ? value : null;
  }

  private boolean refersToTable(RexNode node) {
    for (int field : Conjuncts.fields(node)) {
      if (field >= first && field < first + count) {
        return true;
      }
    }
    return false;
  }

  private void comparison(RexCall call, int number, List<ColumnCondition> found) {
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    SqlKind kind = call.getKind();
    if (column(left) >= 0) {
      add(column(left), comparison(kind), right, number, found);
    }
    if (column(right) >= 0) {
      add(column(right), comparison(kind.reverse()), left, number, found);
    }
  }

  private static Comparison comparison(SqlKind kind) {
    return switch (kind) {
      case EQUALS -> Comparison.EQUAL;
      case LESS_THAN -> Comparison.LESS;
      case LESS_THAN_OR_EQUAL -> Comparison.LESS_OR_EQUAL;
      case GREATER_THAN -> Comparison.GREATER;
      default -> Comparison.GREATER_OR_EQUAL;
    };
  }

  private void add(
      int column,
      Comparison comparison,
      RexNode valueNode,
      int number,
      List<ColumnCondition> found) {
    Expression value = value(column, valueNode);
    if (value != null) {
      found.add(new ColumnCondition(column, comparison, List.of(value), number, true));
    }
  }

  private void isNull(RexCall call, int number, List<ColumnCondition> found) {
    int column = column(call.getOperands().getFirst());
    if (column >= 0 && layout.type(column).nullable()) {
      found.add(new ColumnCondition(column, Comparison.IS_NULL, List.of(), number, true));
    }
  }

  private void truth(RexNode node, int number, boolean value, List<ColumnCondition> found) {
    int column = column(node);
    if (column >= 0) {
      found.add(
          new ColumnCondition(
              column, Comparison.EQUAL, List.of(Expressions.bool(value)), number, true));
    }
  }

  private void inList(RexCall or, int number, List<ColumnCondition> found) {
    int column = -1;
    List<Expression> values = new ArrayList<>();
    for (RexNode operand : or.getOperands()) {
      if (operand.getKind() != SqlKind.EQUALS || values.size() >= IN_LIST_MAX) {
        return;
      }
      RexNode left = ((RexCall) operand).getOperands().get(0);
      RexNode right = ((RexCall) operand).getOperands().get(1);
      boolean mirrored = column(left) < 0;
      int here = column(mirrored ? right : left);
      if (here < 0 || (column >= 0 && column != here)) {
        return;
      }
      column = here;
      Expression value = value(column, mirrored ? left : right);
      if (value == null) {
        return;
      }
      values.add(value);
    }
    found.add(new ColumnCondition(column, Comparison.IN, values, number, true));
  }

  private void search(RexCall call, int number, List<ColumnCondition> found) {
    int column = column(call.getOperands().get(0));
    Sarg<?> sarg = ((RexLiteral) call.getOperands().get(1)).getValueAs(Sarg.class);
    if (column < 0 || sarg == null) {
      return;
    }
    RexNode expanded = RexUtil.expandSearch(REX, null, call);
    if (sarg.isPoints() || expanded.getKind() != SqlKind.AND) {
      if (expanded.getKind() != SqlKind.SEARCH && expanded.getKind() != SqlKind.AND) {
        find(expanded, number, found);
      }
      return;
    }
    List<? extends Range<?>> ranges = List.copyOf(sarg.rangeSet.asRanges());
    if (ranges.size() == 1) {
      for (RexNode bound : ((RexCall) expanded).getOperands()) {
        find(bound, number, found);
      }
    }
  }

  /**
   * Finds the range of values with the prefix of {@code a LIKE 'abc%'}; the pattern is checked
   * again.
   */
  private void like(RexCall call, int number, List<ColumnCondition> found) {
    int column = column(call.getOperands().get(0));
    boolean constant =
        call.getOperands().stream().skip(1).allMatch(node -> node instanceof RexLiteral);
    if (column < 0 || !constant || layout.type(column).kind() != Kind.VARCHAR) {
      return;
    }
    String prefix = prefix(call.getOperands());
    String end = prefix == null ? null : successor(prefix);
    if (end != null) {
      found.add(text(column, Comparison.GREATER_OR_EQUAL, prefix, number));
      found.add(text(column, Comparison.LESS, end, number));
    }
  }

  private static String prefix(List<RexNode> operands) {
    NlsString pattern = ((RexLiteral) operands.get(1)).getValueAs(NlsString.class);
    NlsString escape =
        operands.size() > 2 ? ((RexLiteral) operands.get(2)).getValueAs(NlsString.class) : null;
    if (pattern == null) {
      return null;
    }
    try {
      return LikePattern.compile(pattern.getValue(), escape == null ? null : escape.getValue())
          .prefix();
    } catch (NelumboException badPattern) {
      return null;
    }
  }

  /**
   * Returns null if the prefix is empty, or if its last character cannot be incremented within
   * ASCII.
   */
  private static String successor(String prefix) {
    int last = prefix.length() - 1;
    if (last < 0 || prefix.charAt(last) >= 0x7e) {
      return null;
    }
    return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
  }

  private static ColumnCondition text(int column, Comparison comparison, String value, int number) {
    ColumnType type = ColumnType.of(Kind.VARCHAR);
    Expression literal = Expressions.literal(type, (Object) value);
    return new ColumnCondition(column, comparison, List.of(literal), number, false);
  }
}
