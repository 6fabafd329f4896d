package org.nelumbo.planner.literal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.parser.LiteralTokens;

/**
 * Replaces literals of a statement by parameters where no plan depends on their values.
 *
 * <p>Parameterized are operands of comparisons and arithmetic, values that are stored, and named
 * columns of results. All other literals stay: ordinals of columns (ORDER BY 1), LIMIT, patterns of
 * LIKE, arguments of functions, comparisons of constants (1 = 1), and literals that form the name
 * of a column. The choice depends only on the shape of the statement.
 */
public final class LiteralParameterization {
  /** A literal that stays: its value is part of the plan key. */
  static final byte STAYS = 0;

  /** A parameterized literal: its type is part of the plan key. */
  private static final byte LIFTED = 1;

  /** A number that is parameterized together with the minus before it. */
  private static final byte NEGATED = 2;

  /** A parameterized string whose length is not part of the plan key. */
  private static final byte ANY_LENGTH = 3;

  /** Longer lists keep their literals, because lookups in a constant list are faster. */
  private static final int LONGEST_LIST = 16;

  /** More rows of an INSERT hardly ever have the same types as those of another statement. */
  private static final int MOST_ROWS = 4;

  private final LiteralTokens tokens;

  private final byte[] treatments;

  private final int[] parameters;

  private int count;

  private LiteralParameterization(LiteralTokens tokens) {
    this.tokens = tokens;
    this.treatments = new byte[tokens.count()];
    this.parameters = new int[tokens.count()];
  }

  /**
   * Parameterizes the literals of a statement in its tree.
   *
   * @return the parameterized literals, or null if there are none
   */
  public static LiteralPositions lift(SqlNode statement, LiteralTokens tokens) {
    LiteralParameterization lifting = new LiteralParameterization(tokens);
    lifting.statement(statement);
    return lifting.count == 0
        ? null
        : new LiteralPositions(
            lifting.treatments, Arrays.copyOf(lifting.parameters, tokens.count()), lifting.count);
  }

  private void statement(SqlNode node) {
    switch (node) {
      case SqlInsert insert -> insert(insert);
      case SqlUpdate update -> {
        list(update.getSourceExpressionList(), true);
        update.setOperand(3, condition(update.getCondition()));
      }
      case SqlDelete delete -> delete.setOperand(1, condition(delete.getCondition()));
      default -> query(node);
    }
  }

  private void insert(SqlInsert insert) {
    if (insert.getSource().getKind() != SqlKind.VALUES) {
      query(insert.getSource());
      return;
    }
    List<SqlNode> rows = ((SqlCall) insert.getSource()).getOperandList();
    if (rows.size() > MOST_ROWS) {
      return;
    }
    for (SqlNode row : rows) {
      if (row.getKind() == SqlKind.ROW) {
        operands((SqlCall) row, true);
      }
    }
  }

  private void query(SqlNode node) {
    switch (node) {
      case SqlSelect select -> select(select);
      case SqlOrderBy ordered -> query(ordered.query);
      case SqlWith with -> {
        for (SqlNode item : with.withList) {
          query(((SqlWithItem) item).query);
        }
        query(with.body);
      }
      case SqlJoin join -> {
        query(join.getLeft());
        query(join.getRight());
        if (join.getCondition() != null && !(join.getCondition() instanceof SqlNodeList)) {
          join.setOperand(5, condition(join.getCondition()));
        }
      }
      case SqlCall call -> {
        switch (call.getKind()) {
          case UNION, INTERSECT, EXCEPT -> call.getOperandList().forEach(this::query);
          case AS -> query(call.operand(0));
          default -> {}
        }
      }
      case null, default -> {}
    }
  }

  private void select(SqlSelect select) {
    if (select.getFrom() != null) {
      query(select.getFrom());
    }
    select.setWhere(condition(select.getWhere()));
    if (select.getGroup() != null && hasLiterals(select.getGroup())) {
      return; // expressions of the result have to be equal to the group expressions
    }
    select.setHaving(condition(select.getHaving()));
    for (SqlNode item : select.getSelectList()) {
      if (item.getKind() == SqlKind.AS) {
        ((SqlCall) item).setOperand(0, expression(((SqlCall) item).operand(0), false));
      }
    }
  }

  private SqlNode condition(SqlNode condition) {
    return condition == null ? null : expression(condition, false);
  }

  private void list(SqlNodeList list, boolean anyLength) {
    for (int i = 0; i < list.size(); i++) {
      list.set(i, expression(list.get(i), anyLength));
    }
  }

  private void operands(SqlCall call, boolean anyLength) {
    for (int i = 0; i < call.operandCount(); i++) {
      SqlNode operand = call.operand(i);
      if (operand != null) {
        call.setOperand(i, expression(operand, anyLength));
      }
    }
  }

  /**
   * Returns an expression with its literals replaced.
   *
   * @param anyLength whether a string of another length would have the same plan
   */
  private SqlNode expression(SqlNode node, boolean anyLength) {
    if (node instanceof SqlLiteral literal) {
      SqlNode lifted = lifted(literal, node.getParserPosition(), anyLength, false);
      return lifted == null ? literal : lifted;
    }
    return node instanceof SqlCall call ? call(call) : node;
  }

  private SqlNode call(SqlCall call) {
    if (call.isA(SqlKind.QUERY)) {
      query(call);
      return call;
    } else if (isNegated(call)) {
      SqlNode lifted = lifted(call.operand(0), call.getParserPosition(), false, true);
      return lifted == null ? call : lifted;
    } else if (!refersToRows(call)) {
      return call;
    }
    switch (call.getKind()) {
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          operands(call, true);
      case BETWEEN -> between(call);
      case IN, NOT_IN -> in(call);
      case CASE -> choice((SqlCase) call);
      case AND,
          OR,
          NOT,
          IS_NULL,
          IS_NOT_NULL,
          PLUS,
          MINUS,
          TIMES,
          DIVIDE,
          MOD,
          MINUS_PREFIX,
          PLUS_PREFIX,
          COALESCE,
          EXISTS,
          SCALAR_QUERY,
          COUNT,
          SUM,
          MIN,
          MAX,
          AVG -> {
        if (call instanceof SqlBasicCall) {
          operands(call, false);
        }
      }
      default -> {}
    }
    return call;
  }

  /** A comparison of a constant value with a constant bound stays, because it is a constant. */
  private void between(SqlCall call) {
    boolean rows = refersToRows(call.operand(0));
    if (rows || refersToRows(call.operand(1)) && refersToRows(call.operand(2))) {
      operands(call, true);
    }
  }

  private void in(SqlCall call) {
    call.setOperand(0, expression(call.operand(0), true));
    if (!(call.operand(1) instanceof SqlNodeList list)) {
      query(call.operand(1));
    } else if (list.size() <= LONGEST_LIST) {
      list(list, true);
    }
  }

  private void choice(SqlCase call) {
    if (call.getValueOperand() == null) {
      list(call.getWhenOperands(), false);
    }
    list(call.getThenOperands(), false);
    if (call.getElseOperand() != null) {
      call.setOperand(3, expression(call.getElseOperand(), false));
    }
  }

  private static boolean isNegated(SqlCall call) {
    return call.getKind() == SqlKind.MINUS_PREFIX
        && call.operand(0) instanceof SqlLiteral literal
        && SqlTypeName.NUMERIC_TYPES.contains(literal.getTypeName());
  }

  private static boolean refersToRows(SqlNode node) {
    return switch (node) {
      case SqlIdentifier _ -> true;
      case SqlNodeList list -> list.stream().anyMatch(LiteralParameterization::refersToRows);
      case SqlCall call ->
          call.isA(SqlKind.QUERY)
              || call.isA(SqlKind.AGGREGATE)
              || call.getOperandList().stream().anyMatch(LiteralParameterization::refersToRows);
      case null, default -> false;
    };
  }

  private static boolean hasLiterals(SqlNode node) {
    List<SqlNode> parts =
        node instanceof SqlNodeList list
            ? list.getList()
            : node instanceof SqlCall call ? call.getOperandList() : List.of();
    return node instanceof SqlLiteral
        || parts.stream().anyMatch(part -> part != null && hasLiterals(part));
  }

  /** Returns null if the literal stays. */
  private SqlNode lifted(
      SqlLiteral literal, SqlParserPos position, boolean anyLength, boolean minusBefore) {
    SqlParserPos written = literal.getParserPosition();
    int token = tokens.find(written.getEndLineNum(), written.getEndColumnNum());
    if (token < 0) {
      return null;
    }
    boolean alone = tokens.begins(token, written.getLineNum(), written.getColumnNum());
    boolean negative = !alone && isNumber(literal, token, true);
    if (!negative && !(alone && (isNumber(literal, token, false) || isText(literal, token)))) {
      return null;
    }
    if (negative && minusBefore) {
      return null;
    }
    if (isZero(literal) && tokens.followsMinus(token)) {
      return null; // zero has no sign, so the effect of the minus cannot be determined
    }
    boolean text = tokens.kind(token) == LiteralTokens.TEXT;
    byte treatment = negative || minusBefore ? NEGATED : text && anyLength ? ANY_LENGTH : LIFTED;
    if (treatments[token] == STAYS) {
      treatments[token] = treatment;
      parameters[token] = count++;
    } else if (treatments[token] != treatment) {
      return null;
    }
    return new ParameterizedLiteral(parameters[token], literal, treatment == ANY_LENGTH, position);
  }

  private static boolean isZero(SqlLiteral literal) {
    return literal.getTypeName() == SqlTypeName.DECIMAL
        && literal.bigDecimalValue() != null
        && literal.bigDecimalValue().signum() == 0;
  }

  private boolean isText(SqlLiteral literal, int token) {
    return tokens.kind(token) == LiteralTokens.TEXT
        && literal.getTypeName() == SqlTypeName.CHAR
        && tokens.value(token).equals(literal.getValueAs(String.class));
  }

  private boolean isNumber(SqlLiteral literal, int token, boolean opposite) {
    if (tokens.kind(token) == LiteralTokens.TEXT || literal.getTypeName() != SqlTypeName.DECIMAL) {
      return false;
    }
    BigDecimal value = literal.bigDecimalValue();
    long digits = opposite ? -tokens.digits(token) : tokens.digits(token);
    return value != null
        && value.scale() == tokens.scale(token)
        && value.unscaledValue().equals(BigInteger.valueOf(digits));
  }

  static boolean isLifted(byte treatment) {
    return treatment != STAYS;
  }

  static boolean isNegated(byte treatment) {
    return treatment == NEGATED;
  }

  static boolean isOfAnyLength(byte treatment) {
    return treatment == ANY_LENGTH;
  }
}
