package org.nelumbo.parser.plain;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.Span;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.parser.impl.ParserFactory;

/**
 * Parses expressions by precedence climbing. Calcite reduces the operator with the highest
 * precedence first; both result in the same tree. Null means that an expression is not supported.
 */
final class PlainExpressionReader {
  private static final int DEEPEST = 200;

  private final PlainTokens tokens;

  /** Number of parameter markers read so far. */
  private int markers;

  private int depth;

  /**
   * True within an operand of BETWEEN or LIKE, which contains no such operator outside of
   * parentheses.
   */
  private boolean inside;

  PlainExpressionReader(PlainTokens tokens) {
    this.tokens = tokens;
  }

  /** Parses an expression. */
  SqlNode expression() {
    boolean outside = inside;
    inside = false;
    SqlNode expression = operation(0);
    inside = outside;
    return expression;
  }

  /** Parses an operand and all following operators with at least the given precedence. */
  private SqlNode operation(int least) {
    if (++depth > DEEPEST) {
      return null;
    }
    SqlNode operand =
        switch (tokens.kind()) {
          case PLUS -> prefixed(SqlStdOperatorTable.UNARY_PLUS);
          case MINUS -> prefixed(SqlStdOperatorTable.UNARY_MINUS);
          case NOT -> inside ? null : prefixed(SqlStdOperatorTable.NOT);
          default -> operand();
        };
    SqlNode all = operand == null ? null : operations(operand, least);
    depth--;
    return all;
  }

  private SqlNode prefixed(SqlOperator operator) {
    SqlParserPos position = tokens.position();
    tokens.next();
    SqlNode operand = operation(PlainOperators.ofPrefix(operator));
    if (operand == null) {
      return null;
    }
    if (operand instanceof SqlNumericLiteral number) {
      if (operator.equals(SqlStdOperatorTable.UNARY_PLUS)) {
        return number;
      } else if (operator.equals(SqlStdOperatorTable.UNARY_MINUS)) {
        return SqlLiteral.createNegative(number, position.plusAll(List.of(operand)));
      }
    }
    return call(operator, position, operand);
  }

  private static SqlNode call(SqlOperator operator, SqlParserPos position, SqlNode... operands) {
    return operator.createCall(position.plusAll(operands), operands);
  }

  private SqlNode operations(SqlNode operand, int least) {
    SqlNode left = operand;
    boolean isCompared = false;
    while (left != null) {
      SqlNode before = left;
      PlainToken token = tokens.kind();
      left =
          switch (token) {
            case IS -> tested(left, least);
            // Calcite may reduce the second of two such operators first if the AND of a BETWEEN
            // lies between them
            case NOT, IN, BETWEEN, LIKE -> isCompared ? null : compared(left, least);
            default -> combined(left, least);
          };
      if (left == before) {
        return left;
      }
      isCompared |= isComparison(token);
    }
    return null;
  }

  private static boolean isComparison(PlainToken token) {
    return switch (token) {
      case IS, NOT, IN, BETWEEN, LIKE -> true;
      default -> false;
    };
  }

  /** Returns the left operand if the operator's precedence is too low. */
  private SqlNode combined(SqlNode left, int least) {
    SqlOperator operator = PlainOperators.between(tokens.kind());
    boolean ends = inside && tokens.is(PlainToken.AND);
    if (operator == null || ends || PlainOperators.left(operator) < least) {
      return left;
    }
    SqlParserPos position = tokens.position();
    tokens.next();
    SqlNode right = operation(PlainOperators.right(operator));
    return right == null ? null : call(operator, position, left, right);
  }

  private SqlNode tested(SqlNode left, int least) {
    if (PlainOperators.ofSuffix(SqlStdOperatorTable.IS_NULL) < least) {
      return left;
    }
    tokens.next();
    boolean isNot = tokens.skip(PlainToken.NOT);
    SqlOperator operator =
        switch (tokens.kind()) {
          case NULL -> isNot ? SqlStdOperatorTable.IS_NOT_NULL : SqlStdOperatorTable.IS_NULL;
          case TRUE -> isNot ? SqlStdOperatorTable.IS_NOT_TRUE : SqlStdOperatorTable.IS_TRUE;
          case FALSE -> isNot ? SqlStdOperatorTable.IS_NOT_FALSE : SqlStdOperatorTable.IS_FALSE;
          case UNKNOWN ->
              isNot ? SqlStdOperatorTable.IS_NOT_UNKNOWN : SqlStdOperatorTable.IS_UNKNOWN;
          default -> null;
        };
    if (operator == null) {
      return null;
    }
    SqlParserPos position = tokens.position();
    tokens.next();
    return call(operator, position, left);
  }

  private SqlNode compared(SqlNode left, int least) {
    if (PlainOperators.left(SqlStdOperatorTable.LIKE) < least) {
      return left;
    } else if (PlainOperators.left(SqlStdOperatorTable.IN) < least) {
      return tokens.is(PlainToken.NOT) || tokens.is(PlainToken.LIKE) ? null : left;
    }
    if (inside) {
      return null;
    }
    boolean isNot = tokens.skip(PlainToken.NOT);
    SqlParserPos position = tokens.position();
    PlainToken which = tokens.kind();
    tokens.next();
    return switch (which) {
      case IN ->
          listed(isNot ? SqlStdOperatorTable.NOT_IN : SqlStdOperatorTable.IN, position, left);
      case BETWEEN ->
          bounded(
              isNot ? SqlStdOperatorTable.NOT_BETWEEN : SqlStdOperatorTable.BETWEEN,
              position,
              left);
      case LIKE -> like(isNot ? SqlStdOperatorTable.NOT_LIKE : SqlStdOperatorTable.LIKE, left);
      default -> null;
    };
  }

  private SqlNode listed(SqlOperator operator, SqlParserPos position, SqlNode left) {
    if (!tokens.is(PlainToken.OPEN)) {
      return null;
    }
    SqlParserPos open = tokens.position();
    tokens.next();
    List<SqlNode> items = new ArrayList<>();
    if (!list(items) || !tokens.is(PlainToken.CLOSE)) {
      return null;
    }
    SqlNodeList list = new SqlNodeList(items, open.plus(tokens.position()));
    tokens.next();
    SqlNode right = operations(list, PlainOperators.right(operator));
    return right == null ? null : call(operator, position, left, right);
  }

  private SqlNode bounded(SqlOperator operator, SqlParserPos position, SqlNode left) {
    inside = true;
    SqlNode lower = operation(0);
    if (lower == null || !tokens.skip(PlainToken.AND)) {
      return null;
    }
    SqlNode upper = operation(2 * operator.getRightPrec());
    inside = false;
    return upper == null ? null : operator.createCall(position, left, lower, upper);
  }

  private SqlNode like(SqlOperator operator, SqlNode left) {
    inside = true;
    SqlNode pattern = operation(2 * operator.getRightPrec());
    inside = false;
    return pattern == null
        ? null
        : operator.createCall(left.getParserPosition().plusAll(List.of(pattern)), left, pattern);
  }

  /** Parses expressions separated by commas; returns false if one is not supported. */
  boolean list(List<SqlNode> items) {
    do {
      SqlNode item = expression();
      if (item == null) {
        return false;
      }
      items.add(item);
    } while (tokens.skip(PlainToken.COMMA));
    return true;
  }

  private SqlNode operand() {
    SqlNode operand =
        switch (tokens.kind()) {
          case NUMBER -> literal(SqlLiteral.createExactNumeric(tokens.image(), tokens.position()));
          case TEXT -> text();
          case MARKER -> literal(new SqlDynamicParam(markers++, tokens.position()));
          case NULL -> literal(SqlLiteral.createNull(tokens.position()));
          case TRUE -> literal(SqlLiteral.createBoolean(true, tokens.position()));
          case FALSE -> literal(SqlLiteral.createBoolean(false, tokens.position()));
          case UNKNOWN -> literal(SqlLiteral.createUnknown(tokens.position()));
          case OPEN -> inBrackets();
          case CASE -> choice();
          case CAST -> cast();
          case NAME, QUOTED_NAME -> named();
          case FUNCTION -> {
            SqlIdentifier name = new SqlIdentifier(tokens.name(), tokens.position());
            tokens.next();
            yield tokens.is(PlainToken.OPEN) ? function(name) : null;
          }
          default -> null;
        };
    return tokens.is(PlainToken.DOT) ? null : operand;
  }

  /**
   * Parses a literal, which may have a sign, or CURRENT_TIMESTAMP and the like without parentheses.
   */
  SqlNode constant() {
    return switch (tokens.kind()) {
      case NUMBER, TEXT, NULL, TRUE, FALSE -> operand();
      case MINUS -> {
        SqlParserPos position = tokens.position();
        tokens.next();
        SqlNode number = tokens.is(PlainToken.NUMBER) ? operand() : null;
        yield number == null
            ? null
            : SqlLiteral.createNegative(
                (SqlNumericLiteral) number, position.plusAll(List.of(number)));
      }
      case OTHER -> currentTime();
      default -> null;
    };
  }

  private SqlNode currentTime() {
    String word = tokens.word();
    return switch (word) {
      case "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP" -> {
        SqlNode time = literal(new SqlIdentifier(word, tokens.position()));
        yield tokens.is(PlainToken.OPEN) ? null : time;
      }
      case null, default -> null;
    };
  }

  private SqlNode literal(SqlNode literal) {
    tokens.next();
    return literal;
  }

  /** A string continued by another one is not supported. */
  private SqlNode text() {
    SqlNode literal =
        SqlLiteral.createCharString(
            SqlParserUtil.parseString(tokens.image()), null, tokens.position());
    tokens.next();
    return tokens.is(PlainToken.TEXT) ? null : literal;
  }

  private SqlNode inBrackets() {
    SqlParserPos open = tokens.position();
    tokens.next();
    SqlNode expression = expression();
    if (expression == null || !tokens.skip(PlainToken.CLOSE)) {
      return null;
    }
    return expression.clone(open.plus(tokens.positionBefore()));
  }

  private SqlNode cast() {
    SqlParserPos begin = tokens.position();
    tokens.next();
    SqlNode value = tokens.skip(PlainToken.OPEN) ? expression() : null;
    if (value == null || !tokens.skip(PlainToken.AS) || !tokens.is(PlainToken.TYPE)) {
      return null;
    }
    SqlParserPos position = tokens.position();
    SqlTypeName name = PlainWords.type(tokens.name());
    tokens.next();
    if (!tokens.skip(PlainToken.CLOSE)) {
      return null;
    }
    SqlDataTypeSpec type = new SqlDataTypeSpec(new SqlBasicTypeNameSpec(name, position), position);
    return SqlStdOperatorTable.CAST.createCall(begin.plus(tokens.positionBefore()), value, type);
  }

  private SqlNode choice() {
    SqlParserPos begin = tokens.position();
    Span whens = Span.of();
    Span thens = Span.of();
    List<SqlNode> conditions = new ArrayList<>();
    List<SqlNode> results = new ArrayList<>();
    tokens.next();
    SqlNode value = null;
    if (!tokens.is(PlainToken.WHEN)) {
      value = expression();
      if (value == null) {
        return null;
      }
    }
    while (tokens.is(PlainToken.WHEN)) {
      whens.add(tokens.position());
      tokens.next();
      SqlNode condition = expression();
      if (condition == null || !tokens.is(PlainToken.THEN)) {
        return null;
      }
      thens.add(tokens.position());
      tokens.next();
      SqlNode result = expression();
      if (result == null) {
        return null;
      }
      conditions.add(condition);
      results.add(result);
    }
    SqlNode otherwise = null;
    if (tokens.skip(PlainToken.ELSE)) {
      otherwise = expression();
      if (otherwise == null) {
        return null;
      }
    }
    if (conditions.isEmpty() || !tokens.skip(PlainToken.END)) {
      return null;
    }
    return SqlCase.createSwitched(
        begin.plus(tokens.positionBefore()),
        value,
        new SqlNodeList(conditions, whens.addAll(conditions).pos()),
        new SqlNodeList(results, thens.addAll(results).pos()),
        otherwise);
  }

  private SqlNode named() {
    List<String> names = new ArrayList<>(2);
    List<SqlParserPos> places = new ArrayList<>(2);
    if (!addName(names, places)) {
      return null;
    }
    while (tokens.skip(PlainToken.DOT)) {
      if (tokens.is(PlainToken.STAR)) {
        names.add("");
        places.add(tokens.position());
        tokens.next();
        return SqlIdentifier.star(names, SqlParserPos.sum(places), places);
      }
      if (!addName(names, places)) {
        return null;
      }
    }
    SqlIdentifier name = new SqlIdentifier(names, null, SqlParserPos.sum(places), places);
    return tokens.is(PlainToken.OPEN) ? function(name) : name;
  }

  private boolean addName(List<String> names, List<SqlParserPos> places) {
    if (!tokens.isName() || tokens.name().length() > ParserFactory.IDENTIFIER_LENGTH_MAX) {
      return false;
    }
    names.add(tokens.name());
    places.add(
        tokens.is(PlainToken.QUOTED_NAME)
            ? tokens.position().withQuoting(true)
            : tokens.position());
    tokens.next();
    return true;
  }

  /** Parses a name with all its qualifiers; returns null if there is none. */
  SqlIdentifier qualifiedName() {
    List<String> names = new ArrayList<>(2);
    List<SqlParserPos> places = new ArrayList<>(2);
    do {
      if (!addName(names, places)) {
        return null;
      }
    } while (tokens.skip(PlainToken.DOT));
    return new SqlIdentifier(names, null, SqlParserPos.sum(places), places);
  }

  /** Parses a name without qualifiers; returns null if there is none. */
  SqlIdentifier simpleName() {
    List<String> names = new ArrayList<>(1);
    List<SqlParserPos> places = new ArrayList<>(1);
    return addName(names, places) ? new SqlIdentifier(names.getFirst(), places.getFirst()) : null;
  }

  private SqlNode function(SqlIdentifier name) {
    SqlParserPos begin = placeOfLastPart(name);
    tokens.next();
    List<SqlNode> operands = new ArrayList<>();
    SqlLiteral quantifier = null;
    if (tokens.is(PlainToken.STAR)) {
      operands.add(literal(SqlIdentifier.star(tokens.position())));
    } else if (!tokens.is(PlainToken.CLOSE)) {
      quantifier = quantifier();
      if (!list(operands)) {
        return null;
      }
    }
    if (!tokens.skip(PlainToken.CLOSE)) {
      return null;
    }
    return new SqlUnresolvedFunction(
            name, null, null, null, null, SqlFunctionCategory.USER_DEFINED_FUNCTION)
        .createCall(
            quantifier, begin.plus(tokens.positionBefore()), operands.toArray(new SqlNode[0]));
  }

  /**
   * Returns the position of the last part of a function name, at which the generated parser starts
   * a call.
   */
  private static SqlParserPos placeOfLastPart(SqlIdentifier name) {
    return name.getComponentParserPosition(name.names.size() - 1);
  }

  /** Parses DISTINCT or ALL; returns null if there is neither. */
  SqlLiteral quantifier() {
    SqlLiteral quantifier =
        switch (tokens.kind()) {
          case DISTINCT -> SqlSelectKeyword.DISTINCT.symbol(tokens.position());
          case ALL -> SqlSelectKeyword.ALL.symbol(tokens.position());
          default -> null;
        };
    if (quantifier != null) {
      tokens.next();
    }
    return quantifier;
  }
}
