package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;
import org.nelumbo.types.Uuids;

/** Creates leaves, comparisons, logical and case expressions. */
public final class Expressions {
  /** Returns true if the value is known before the statement runs: a parameter or a constant. */
  public static boolean isGiven(Expression expression) {
    return expression instanceof Parameter || expression instanceof Literal;
  }

  private Expressions() {}

  // Leaves.

  /** Creates a constant of a {@code long} type. */
  public static Expression literal(ColumnType type, long raw) {
    return Literal.of(type, raw);
  }

  /** Creates a constant of an object type. */
  public static Expression literal(ColumnType type, Object raw) {
    return Literal.of(type, raw);
  }

  /** Creates a NULL of a type. */
  public static Expression nullOf(ColumnType type) {
    return Literal.nullOf(type);
  }

  /** Creates TRUE or FALSE. */
  public static Expression bool(boolean value) {
    return Literal.of(ColumnType.of(Kind.BOOLEAN), value ? 1L : 0L);
  }

  /** Creates a parameter marker; parameters are numbered from 0. */
  public static Expression parameter(ColumnType type, int index) {
    return new Parameter(type.orNull(), index);
  }

  /**
   * Creates a parameterized literal of a plan that is shared by texts with different literals; its
   * value is a parameter.
   */
  public static Expression sharedLiteral(FrameLayout layout, int index) {
    return new SharedLiteral(layout, layout.parameterType(index), index);
  }

  /** Creates a reference to a column of a frame row. */
  public static ColumnReference column(int row, RowLayout layout, int column) {
    return new ColumnReference(row, layout, column, false);
  }

  /** Creates a reference to a computed value in a frame slot. */
  public static SlotReference slot(ColumnType type, int slot) {
    return new SlotReference(type, slot, "$" + slot);
  }

  /** Creates a reference to a computed value in a frame slot, with a name for EXPLAIN. */
  public static SlotReference slot(ColumnType type, int slot, String label) {
    return new SlotReference(type, slot, label);
  }

  /**
   * Creates an expression that reads the values of other expressions from slots; these are
   * evaluated before it, one after the other.
   *
   * @param slots slots for the values of the other expressions
   */
  public static Expression staged(List<Expression> stages, int[] slots, Expression last) {
    return new StagedExpression(stages, slots, last);
  }

  // Comparisons.

  /**
   * Creates a comparison of two values. Numbers of different types are compared exactly, or as
   * DOUBLE if one is floating. CHAR comparisons ignore trailing blanks of both sides (a CHAR
   * literal compared with VARCHAR is treated as VARCHAR).
   *
   * @throws NelumboException TYPE_MISMATCH if the types cannot be compared
   */
  public static Expression compare(CompareOp op, Expression left, Expression right) {
    Kind a = left.type().kind();
    Kind b = right.type().kind();
    if (a.isNumeric() && b.isNumeric()) {
      return FunctionSupport.fold(compareNumbers(op, left, right));
    } else if (a.isCharacter() && b.isCharacter()) {
      boolean padded =
          (a == Kind.CHAR && (b == Kind.CHAR || !comparesAsVarchar(left)))
              || (b == Kind.CHAR && a != Kind.CHAR && !comparesAsVarchar(right));
      Expression equality = TextComparison.of(op, left, right, padded);
      if (equality != null) {
        return equality;
      }
      Comparator<Object> order =
          padded
              ? (x, y) -> RawValueOrder.comparePadded((String) x, (String) y)
              : (x, y) -> RawValueOrder.compareText((String) x, (String) y);
      return FunctionSupport.fold(new ObjectComparison(op, left, right, order));
    } else if (a.isBinary() && b.isBinary()) {
      return FunctionSupport.fold(new ObjectComparison(op, left, right, binaryOrder()));
    } else if (a == Kind.UUID && b == Kind.UUID) {
      return FunctionSupport.fold(
          new ObjectComparison(op, left, right, (x, y) -> Uuids.compare((UUID) x, (UUID) y)));
    } else if (a == b) {
      return FunctionSupport.fold(new LongComparison(op, left, right));
    } else if (a.isDatetime() && b.isDatetime() && a != Kind.TIME && b != Kind.TIME) {
      Kind wider = a.ordinal() > b.ordinal() ? a : b;
      return compare(
          op, Casts.cast(ColumnType.of(wider), left), Casts.cast(ColumnType.of(wider), right));
    }
    throw new NelumboException(
        ErrorCode.TYPE_MISMATCH,
        "cannot compare " + left.type().sqlName() + " with " + right.type().sqlName());
  }

  /**
   * Returns true if a CHAR expression is treated as VARCHAR when it is compared with VARCHAR, which
   * applies to literals.
   */
  public static boolean comparesAsVarchar(Expression expression) {
    return expression instanceof Literal || expression instanceof SharedLiteral;
  }

  private static Comparator<Object> binaryOrder() {
    ColumnType binary = ColumnType.of(Kind.VARBINARY);
    return (x, y) -> RawValueOrder.compareObjects(binary, x, y);
  }

  private static Expression compareNumbers(CompareOp op, Expression left, Expression right) {
    ColumnType a = left.type();
    ColumnType b = right.type();
    if (a.kind().isFloating() || b.kind().isFloating()) {
      return new DoubleComparison(op, Casts.toDouble(left), Casts.toDouble(right));
    } else if (!a.isLong() || !b.isLong()) {
      return new ObjectComparison(
          op,
          Casts.toBig(left),
          Casts.toBig(right),
          (x, y) -> ((BigDecimal) x).compareTo((BigDecimal) y));
    }
    return a.scale() == b.scale()
        ? new LongComparison(op, left, right)
        : new ScaledComparison(op, left, right);
  }

  /** Creates IS DISTINCT FROM. */
  public static Expression isDistinctFrom(Expression left, Expression right) {
    return FunctionSupport.fold(
        new IsDistinctFrom(left, right, compare(CompareOp.EQ, left, right), false));
  }

  /** Creates IS NOT DISTINCT FROM. */
  public static Expression isNotDistinctFrom(Expression left, Expression right) {
    return FunctionSupport.fold(
        new IsDistinctFrom(left, right, compare(CompareOp.EQ, left, right), true));
  }

  /** Creates {@code value IN (list)}; NOT IN is its negation. */
  public static Expression in(Expression value, List<Expression> list) {
    if (isLongSet(value, list)) {
      return longSet(value, list);
    }
    boolean ofTexts =
        list.size() > 1
            && list.stream()
                .allMatch(each -> each.type().kind().isCharacter() && comparesAsVarchar(each));
    Expression texts = ofTexts ? TextInList.of(value, list) : null;
    if (texts != null) {
      return texts;
    }
    Expression[] tests = new Expression[list.size()];
    for (int i = 0; i < tests.length; i++) {
      tests[i] = compare(CompareOp.EQ, value, list.get(i));
    }
    return or(tests);
  }

  private static boolean isLongSet(Expression value, List<Expression> list) {
    ColumnType type = value.type();
    boolean same = type.isLong() && !type.kind().isFloating();
    for (Expression element : list) {
      ColumnType other = element.type();
      boolean comparable =
          other.kind() == type.kind() || (other.kind().isInteger() && type.kind().isInteger());
      same &=
          element instanceof Literal
              && comparable
              && other.isLong()
              && other.scale() == type.scale();
    }
    return same;
  }

  private static Expression longSet(Expression value, List<Expression> list) {
    Frame frame = Frame.ofPlanning();
    long[] constants = new long[list.size()];
    int count = 0;
    for (Expression element : list) {
      long raw = element.evalLong(frame);
      if (!frame.takeNull()) {
        constants[count++] = raw;
      }
    }
    return new LongInList(value, Arrays.copyOf(constants, count), count < list.size());
  }

  // Logic.

  /** Creates a conjunction; TRUE if there are no operands. */
  public static Expression and(Expression... operands) {
    return switch (operands.length) {
      case 0 -> bool(true);
      case 1 -> operands[0];
      default -> FunctionSupport.fold(Connective.and(operands));
    };
  }

  /** Creates a disjunction; FALSE if there are no operands. */
  public static Expression or(Expression... operands) {
    return switch (operands.length) {
      case 0 -> bool(false);
      case 1 -> operands[0];
      default -> FunctionSupport.fold(Connective.or(operands));
    };
  }

  /** Creates NOT. */
  public static Expression not(Expression operand) {
    return FunctionSupport.fold(new Not(operand));
  }

  /** Creates IS NULL. */
  public static Expression isNull(Expression operand) {
    return FunctionSupport.fold(new NullTest(operand, false));
  }

  /** Creates IS NOT NULL. */
  public static Expression isNotNull(Expression operand) {
    return FunctionSupport.fold(new NullTest(operand, true));
  }

  /** Creates IS TRUE. */
  public static Expression isTrue(Expression operand) {
    return FunctionSupport.fold(new TruthTest(operand, true, false));
  }

  /** Creates IS NOT TRUE. */
  public static Expression isNotTrue(Expression operand) {
    return FunctionSupport.fold(new TruthTest(operand, true, true));
  }

  /** Creates IS FALSE. */
  public static Expression isFalse(Expression operand) {
    return FunctionSupport.fold(new TruthTest(operand, false, false));
  }

  /** Creates IS NOT FALSE. */
  public static Expression isNotFalse(Expression operand) {
    return FunctionSupport.fold(new TruthTest(operand, false, true));
  }

  // Choice.

  /** Creates a CASE whose results are cast to {@code type}. A null {@code otherwise} means NULL. */
  public static Expression caseWhen(
      ColumnType type,
      List<Expression> conditions,
      List<Expression> results,
      Expression otherwise) {
    Expression last = otherwise == null ? nullOf(type) : Casts.cast(type, otherwise);
    Expression[] cast = results.stream().map(e -> Casts.cast(type, e)).toArray(Expression[]::new);
    return FunctionSupport.fold(
        new CaseWhen(type, conditions.toArray(Expression[]::new), cast, last));
  }

  /** Creates a COALESCE whose operands are cast to {@code type}. */
  public static Expression coalesce(ColumnType type, List<Expression> operands) {
    return FunctionSupport.fold(
        new Coalesce(
            type, operands.stream().map(e -> Casts.cast(type, e)).toArray(Expression[]::new)));
  }

  /** Creates NULLIF: NULL if both operands are equal, otherwise the first operand. */
  static Expression nullIf(Expression left, Expression right) {
    return caseWhen(
        left.type().orNull(),
        List.of(compare(CompareOp.EQ, left, right)),
        List.of(nullOf(left.type())),
        left);
  }

  /** Creates GREATEST of operands that are cast to {@code type}; NULL if one operand is NULL. */
  public static Expression greatest(ColumnType type, List<Expression> operands) {
    return extreme("GREATEST", 1, type, operands);
  }

  /** Creates LEAST of operands that are cast to {@code type}; NULL if one operand is NULL. */
  public static Expression least(ColumnType type, List<Expression> operands) {
    return extreme("LEAST", -1, type, operands);
  }

  private static Expression extreme(
      String name, int sign, ColumnType type, List<Expression> operands) {
    Expression[] cast = operands.stream().map(e -> Casts.cast(type, e)).toArray(Expression[]::new);
    return FunctionSupport.fold(new ExtremeFunction(name, sign, type, cast));
  }
}
