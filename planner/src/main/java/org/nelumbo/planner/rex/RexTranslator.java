package org.nelumbo.planner.rex;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.ArithmeticOp;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.CompareOp;
import org.nelumbo.executor.expr.DatetimeFunctions;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.NumericFunctions;
import org.nelumbo.executor.expr.TextFunctions;
import org.nelumbo.executor.expr.TextPatterns;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.function.NextValueFunction;
import org.nelumbo.planner.schema.GeneratedValue;
import org.nelumbo.planner.schema.NextIdentity;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Translates Calcite's expressions to those of the executor. Operators are translated here,
 * functions in {@link FunctionTranslator}.
 */
public final class RexTranslator {
  private static final RexBuilder REX = new RexBuilder(NelumboTypeFactory.INSTANCE);

  /** Number of levels of nested first operands that are evaluated in one stage. */
  private static final int STAGE_LEVELS = 200;

  private final PlanContext context;
  private final List<Expression> fields;

  /** Expressions that are computed before the expressions that contain them. */
  private final IdentityHashMap<RexNode, Expression> computed = new IdentityHashMap<>();

  /**
   * Creates a translator.
   *
   * @param fields expressions of the fields
   */
  public RexTranslator(PlanContext context, List<Expression> fields) {
    this.context = context;
    this.fields = fields;
  }

  public List<Expression> translateAll(List<? extends RexNode> nodes) {
    List<Expression> expressions = new ArrayList<>();
    nodes.forEach(node -> expressions.add(translate(node)));
    return expressions;
  }

  /** Translates a conjunction; returns null if there is nothing to check. */
  public Expression conjunction(List<? extends RexNode> conditions) {
    if (conditions.isEmpty()) {
      return null;
    }
    return Expressions.and(translateAll(conditions).toArray(Expression[]::new));
  }

  public Expression translate(RexNode node) {
    if (isChain(node)) {
      return translateChain(node);
    }
    context.enter();
    Expression translated = translateHere(node);
    context.leave();
    return translated;
  }

  private boolean isChain(RexNode node) {
    RexNode next = node;
    for (int i = 0; i < STAGE_LEVELS && next != null; i++) {
      next = firstOperand(next);
    }
    return next != null;
  }

  private RexNode firstOperand(RexNode node) {
    return node instanceof RexCall call
            && !(node instanceof RexSubQuery)
            && !call.getOperands().isEmpty()
            && !isFlattened(call)
            && !computed.containsKey(node)
        ? call.getOperands().getFirst()
        : null;
  }

  private static boolean isFlattened(RexCall call) {
    return call.getKind() == SqlKind.AND
        || call.getKind() == SqlKind.OR
        || call.getOperator().equals(SqlStdOperatorTable.CONCAT);
  }

  /** Begins with the innermost operand. */
  private Expression translateChain(RexNode node) {
    List<RexNode> nested = new ArrayList<>();
    for (RexNode next = node; next != null; next = firstOperand(next)) {
      nested.add(next);
    }
    List<Expression> stages = new ArrayList<>();
    List<Integer> slots = new ArrayList<>();
    for (int i = nested.size() - STAGE_LEVELS; i > 0; i -= STAGE_LEVELS) {
      Expression stage = translate(nested.get(i));
      if (!stage.isConstant()) {
        int slot = context.shape().addSlot(stage.type());
        stages.add(stage);
        slots.add(slot);
        stage = Expressions.slot(stage.type(), slot);
      }
      computed.put(nested.get(i), stage);
    }
    Expression last = translate(node);
    nested.forEach(computed::remove);
    return stages.isEmpty()
        ? last
        : Expressions.staged(stages, slots.stream().mapToInt(Integer::intValue).toArray(), last);
  }

  private Expression translateHere(RexNode node) {
    Expression known = computed.get(node);
    if (known != null) {
      return known;
    }
    if (node instanceof RexInputRef reference) {
      return fields.get(reference.getIndex());
    } else if (node instanceof RexLiteral literal) {
      return LiteralTranslator.translate(literal);
    } else if (node instanceof RexDynamicParam parameter) {
      return parameter(parameter);
    } else if (node instanceof RexFieldAccess access
        && access.getReferenceExpr() instanceof RexCorrelVariable variable) {
      return outer(variable).get(access.getField().getIndex());
    } else if (node instanceof RexSubQuery) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "a subquery is not supported in this place: join it, or select its value in FROM or WITH"
              + " first");
    } else if (node instanceof RexCall call) {
      return call(call);
    }
    throw unsupported(node);
  }

  private List<Expression> outer(RexCorrelVariable variable) {
    List<Expression> row = context.correlated().get(variable.id);
    if (row == null) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "a subquery in this place cannot refer to a row outside of it: join it, or select its"
              + " value in FROM or WITH first");
    }
    return row;
  }

  public static NelumboException unsupported(RexNode node) {
    if (node.getKind() == SqlKind.ROW) {
      return new NelumboException(
          ErrorCode.UNSUPPORTED,
          "several values in parentheses are not supported in this place: name them one by one;"
              + " COUNT(DISTINCT (a, b)) is SELECT COUNT(*) FROM (SELECT DISTINCT a, b FROM ...)");
    }
    String what = node instanceof RexCall call ? call.getOperator().getName() : node.toString();
    return new NelumboException(
        ErrorCode.UNSUPPORTED, "function or operator " + what + " is not supported");
  }

  private Expression parameter(RexDynamicParam parameter) {
    int index = parameter.getIndex();
    ColumnType type = context.shape().parameterType(index);
    return type.nullable()
        ? Expressions.parameter(type, index)
        : Expressions.sharedLiteral(context.shape(), index);
  }

  private Expression call(RexCall call) {
    List<RexNode> operands = call.getOperands();
    return switch (call.getKind()) {
      case EQUALS -> compare(CompareOp.EQ, operands);
      case NOT_EQUALS -> compare(CompareOp.NE, operands);
      case LESS_THAN -> compare(CompareOp.LT, operands);
      case LESS_THAN_OR_EQUAL -> compare(CompareOp.LE, operands);
      case GREATER_THAN -> compare(CompareOp.GT, operands);
      case GREATER_THAN_OR_EQUAL -> compare(CompareOp.GE, operands);
      case IS_DISTINCT_FROM ->
          Expressions.isDistinctFrom(comparand(operands.get(0)), comparand(operands.get(1)));
      case IS_NOT_DISTINCT_FROM ->
          Expressions.isNotDistinctFrom(comparand(operands.get(0)), comparand(operands.get(1)));
      case AND -> Expressions.and(translateAll(flatten(call)).toArray(Expression[]::new));
      case OR -> or(call);
      case NOT -> Expressions.not(translate(operands.getFirst()));
      case IS_NULL -> Expressions.isNull(translate(operands.getFirst()));
      case IS_NOT_NULL -> Expressions.isNotNull(translate(operands.getFirst()));
      case IS_TRUE -> Expressions.isTrue(translate(operands.getFirst()));
      case IS_NOT_TRUE -> Expressions.isNotTrue(translate(operands.getFirst()));
      case IS_FALSE -> Expressions.isFalse(translate(operands.getFirst()));
      case IS_NOT_FALSE -> Expressions.isNotFalse(translate(operands.getFirst()));
      case SEARCH -> translate(RexUtil.expandSearch(REX, null, call));
      case LIKE -> like(call);
      case SIMILAR -> similar(call);
      case POSIX_REGEX_CASE_SENSITIVE, POSIX_REGEX_CASE_INSENSITIVE -> matches(call);
      case PLUS, CHECKED_PLUS -> arithmetic(ArithmeticOp.PLUS, call);
      case MINUS, CHECKED_MINUS -> arithmetic(ArithmeticOp.MINUS, call);
      case TIMES, CHECKED_TIMES -> arithmetic(ArithmeticOp.TIMES, call);
      case DIVIDE, CHECKED_DIVIDE -> arithmetic(ArithmeticOp.DIVIDE, call);
      case MOD -> arithmetic(ArithmeticOp.MOD, call);
      case PLUS_PREFIX -> translate(operands.getFirst());
      case MINUS_PREFIX -> negate(call);
      case CASE -> caseWhen(call);
      case COALESCE, NVL -> Expressions.coalesce(type(call), translateAll(operands));
      case CAST, REINTERPRET -> cast(call);
      case GREATEST -> Expressions.greatest(type(call), translateAll(operands));
      case LEAST -> Expressions.least(type(call), translateAll(operands));
      case ROW -> throw unsupported(call);
      default -> function(call);
    };
  }

  /** Returns the operands of an associative operator, with nested calls of it flattened. */
  public static List<RexNode> flatten(RexCall call) {
    List<RexNode> flat = new ArrayList<>();
    Deque<RexNode> todo = new ArrayDeque<>();
    todo.push(call);
    while (!todo.isEmpty()) {
      RexNode next = todo.pop();
      if (next instanceof RexCall inner && inner.getOperator().equals(call.getOperator())) {
        for (int i = inner.getOperands().size() - 1; i >= 0; i--) {
          todo.push(inner.getOperands().get(i));
        }
      } else {
        flat.add(next);
      }
    }
    return flat;
  }

  private Expression function(RexCall call) {
    if (call.getOperator() instanceof NextValueFunction) {
      SequenceEntry sequence = NextValueFunction.sequence(call, context.state(), context.schema());
      context.setChangesSession();
      return new IdentityExpression(ColumnType.of(Kind.BIGINT), sequence.numbers());
    }
    switch (call.getOperator().getName()) {
      case "CURRVAL" -> {
        return SequenceCall.current(
            NextValueFunction.sequence(call, context.state(), context.schema()));
      }
      case "SETVAL" -> {
        List<RexNode> operands = call.getOperands();
        context.setChangesSession();
        return SequenceCall.set(
            NextValueFunction.sequence(call, context.state(), context.schema()),
            Casts.cast(ColumnType.of(Kind.BIGINT).orNull(), translate(operands.get(1))),
            operands.size() < 3 ? null : translate(operands.get(2)));
      }
      case "SET_CONFIG" -> context.setChangesSession();
      default -> {}
    }
    if (call.getOperator() instanceof GeneratedValue) {
      return Expressions.nullOf(type(call).orNull()); // computed over the new row
    }
    if (call.getOperator() instanceof NextIdentity identity) {
      TableEntry target = context.insertTarget();
      return new IdentityExpression(type(call), target.sequence(identity.column()));
    }
    return new FunctionTranslator(this, context.schema()).translate(call);
  }

  static ColumnType type(RexNode node) {
    return SqlTypes.toColumnType(node.getType());
  }

  private Expression compare(CompareOp op, List<RexNode> operands) {
    if (operands.getFirst().getKind() == SqlKind.ROW) {
      return compareRows(op, (RexCall) operands.get(0), (RexCall) operands.get(1));
    }
    return Expressions.compare(op, comparand(operands.get(0)), comparand(operands.get(1)));
  }

  private Expression compareRows(CompareOp op, RexCall left, RexCall right) {
    if (op != CompareOp.EQ && op != CompareOp.NE) {
      throw unsupported(left);
    }
    Expression[] tests = new Expression[left.getOperands().size()];
    for (int i = 0; i < tests.length; i++) {
      tests[i] =
          compare(CompareOp.EQ, List.of(left.getOperands().get(i), right.getOperands().get(i)));
    }
    Expression equal = Expressions.and(tests);
    return op == CompareOp.EQ ? equal : Expressions.not(equal);
  }

  /**
   * Translates one side of a comparison, without the conversions that Calcite adds to bring both
   * sides to one type.
   */
  private Expression comparand(RexNode node) {
    return translate(LosslessCasts.strip(node));
  }

  private Expression or(RexCall call) {
    List<RexNode> operands = flatten(call);
    Expression in = inList(operands);
    return in != null ? in : Expressions.or(translateAll(operands).toArray(Expression[]::new));
  }

  /**
   * Translates {@code a = 1 OR a = 2 OR ...} with literals as a set; returns null for other
   * conditions.
   */
  private Expression inList(List<RexNode> operands) {
    RexNode value = null;
    List<Expression> list = new ArrayList<>();
    for (RexNode operand : operands) {
      if (operand.getKind() != SqlKind.EQUALS) {
        return null;
      }
      RexNode left = ((RexCall) operand).getOperands().get(0);
      RexNode right = ((RexCall) operand).getOperands().get(1);
      boolean isGiven = right instanceof RexLiteral || isShared(LosslessCasts.strip(right));
      if (!isGiven || (value != null && !value.equals(left))) {
        return null;
      }
      value = left;
      list.add(right instanceof RexLiteral ? translate(right) : comparand(right));
    }
    return Expressions.in(comparand(value), list);
  }

  /** Returns true for the parameter of a literal in a shared plan. */
  private boolean isShared(RexNode node) {
    return node instanceof RexDynamicParam parameter
        && !context.shape().parameterType(parameter.getIndex()).nullable();
  }

  private Expression like(RexCall call) {
    List<RexNode> operands = call.getOperands();
    Expression escape = operands.size() > 2 ? translate(operands.get(2)) : null;
    Expression text = translate(operands.get(0));
    Expression pattern = translate(operands.get(1));
    if (call.getOperator().getName().endsWith("ILIKE")) {
      text = TextFunctions.lower(text.type(), text);
      pattern = TextFunctions.lower(pattern.type(), pattern);
    }
    Expression like = TextFunctions.like(text, pattern, escape);
    return call.getOperator().getName().startsWith("NOT") ? Expressions.not(like) : like;
  }

  private Expression similar(RexCall call) {
    List<Expression> operands = translateAll(call.getOperands());
    Expression similar =
        TextPatterns.similar(
            operands.get(0), operands.get(1), operands.size() > 2 ? operands.get(2) : null);
    return call.getOperator().getName().startsWith("NOT") ? Expressions.not(similar) : similar;
  }

  private Expression matches(RexCall call) {
    boolean ignoreCase = call.getKind() == SqlKind.POSIX_REGEX_CASE_INSENSITIVE;
    Expression matches = TextPatterns.matches(translateAll(call.getOperands()), ignoreCase);
    return call.getOperator().getName().startsWith("NEG") ? Expressions.not(matches) : matches;
  }

  private Expression arithmetic(ArithmeticOp op, RexCall call) {
    List<Expression> operands = translateAll(call.getOperands());
    ColumnType type = type(call);
    Expression left = operands.get(0);
    Expression right = operands.get(1);
    if (type.kind().isDatetime()) {
      return TemporalTranslator.shift(op, left, right);
    } else if (isInterval(type.kind())) {
      if (op == ArithmeticOp.MINUS && left.type().kind().isDatetime()) {
        return DatetimeFunctions.minus(type, left, right);
      }
      boolean isSame = op == ArithmeticOp.MINUS && isZero(right);
      return isSame ? left : DatetimeFunctions.intervalArithmetic(op, type, left, right);
    }
    return NumericFunctions.arithmetic(op, type.withNullable(anyNullable(operands)), left, right);
  }

  private static boolean isZero(Expression operand) {
    return operand.isConstant()
        && operand.type().isLong()
        && !operand.isNull(null)
        && operand.evalLong(null) == 0;
  }

  static boolean anyNullable(List<Expression> operands) {
    return operands.stream().anyMatch(operand -> operand.type().nullable());
  }

  static boolean isInterval(Kind kind) {
    return kind.isInterval();
  }

  private Expression negate(RexCall call) {
    Expression operand = translate(call.getOperands().getFirst());
    ColumnType type = type(call).withNullable(operand.type().nullable());
    if (isInterval(type.kind())) {
      Expression zero = Expressions.literal(type.withNullable(false), 0L);
      return DatetimeFunctions.intervalArithmetic(ArithmeticOp.MINUS, type, zero, operand);
    }
    return NumericFunctions.negate(type, operand);
  }

  private Expression caseWhen(RexCall call) {
    List<RexNode> operands = call.getOperands();
    List<Expression> conditions = new ArrayList<>();
    List<Expression> results = new ArrayList<>();
    for (int i = 0; i + 1 < operands.size(); i += 2) {
      conditions.add(translate(operands.get(i)));
      results.add(translate(operands.get(i + 1)));
    }
    Expression otherwise = translate(operands.getLast());
    boolean nullable = anyNullable(results) || otherwise.type().nullable();
    return Expressions.caseWhen(type(call).withNullable(nullable), conditions, results, otherwise);
  }

  private Expression cast(RexCall call) {
    ColumnType target = type(call);
    if (target.kind() == Kind.TIMESTAMP_LTZ
        && call.getOperands().getFirst() instanceof RexCall now
        && now.getOperator().getName().equals(SqlStdOperatorTable.CURRENT_TIMESTAMP.getName())) {
      // the instant itself, since local time repeats an hour when daylight saving time ends
      return DatetimeFunctions.currentTimestamp(target);
    }
    Expression operand = translate(call.getOperands().getFirst());
    if (isInterval(target.kind()) && !isInterval(operand.type().kind())) {
      return TemporalTranslator.toInterval(call, operand);
    } else if (isInterval(operand.type().kind()) && target.kind().isNumeric()) {
      return TemporalTranslator.ofInterval(call, operand);
    }
    return Casts.cast(target, operand);
  }
}
