package org.nelumbo.parser.plain;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.ast.FirstRows;

/**
 * Parses a SELECT over named tables, with WHERE, GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET, the
 * changes of {@link PlainChangeReader}, and those of {@link PlainSchemaReader}. Null means that a
 * statement is not supported.
 */
public final class PlainQueryReader {
  private final PlainTokens tokens;
  private final PlainExpressionReader expressions;

  private PlainQueryReader(PlainTokens tokens) {
    this.tokens = tokens;
    this.expressions = new PlainExpressionReader(tokens);
  }

  /**
   * Returns the syntax tree of a text that is one supported query or change, or null for any other
   * text.
   *
   * @param progress runs for each token; parsing stops if it throws
   */
  public static SqlNode read(String sql, Runnable progress) {
    PlainTokens tokens = new PlainTokens(sql, progress);
    PlainQueryReader queries = new PlainQueryReader(tokens);
    SqlNode statement =
        switch (tokens.kind()) {
          case INSERT, UPDATE, DELETE ->
              new PlainChangeReader(tokens, queries.expressions).change();
          case SELECT -> queries.query();
          default -> new PlainSchemaReader(tokens, queries.expressions).change();
        };
    return statement != null && queries.ends() ? statement : null;
  }

  /**
   * Returns the syntax tree of a text that is one supported literal, or null for any other text.
   */
  public static SqlNode readConstant(String sql) {
    PlainTokens tokens = new PlainTokens(sql, () -> {});
    SqlNode constant = new PlainExpressionReader(tokens).constant();
    return tokens.is(PlainToken.END_OF_TEXT) ? constant : null;
  }

  private boolean ends() {
    while (tokens.is(PlainToken.SEMICOLON)) {
      tokens.next();
    }
    return tokens.is(PlainToken.END_OF_TEXT);
  }

  private SqlNode query() {
    SqlNode select = select();
    SqlNodeList order = SqlNodeList.EMPTY;
    if (select != null && tokens.is(PlainToken.ORDER)) {
      order = order();
    }
    if (select == null || order == null) {
      return null;
    }
    SqlNode fetch = null;
    SqlNode offset = null;
    if (tokens.skip(PlainToken.LIMIT)) {
      fetch = count();
      if (fetch == null) {
        return null;
      }
    }
    if (tokens.skip(PlainToken.OFFSET)) {
      offset = count();
      if (offset == null) {
        return null;
      }
    }
    return order.isEmpty() && fetch == null && offset == null
        ? select
        : FirstRows.ordered(tokens.positionBefore(), select, order, offset, fetch);
  }

  private SqlNode count() {
    if (!tokens.is(PlainToken.NUMBER)) {
      return null;
    }
    SqlNode count = SqlLiteral.createExactNumeric(tokens.image(), tokens.position());
    tokens.next();
    return count;
  }

  private SqlSelect select() {
    SqlParserPos begin = tokens.position();
    if (!tokens.skip(PlainToken.SELECT)) {
      return null;
    }
    SqlLiteral quantifier = expressions.quantifier();
    SqlNodeList keywords =
        quantifier == null
            ? new SqlNodeList(List.of(), begin)
            : new SqlNodeList(List.of(quantifier), begin.plus(quantifier.getParserPosition()));
    List<SqlNode> items = new ArrayList<>();
    do {
      SqlNode item = item();
      if (item == null) {
        return null;
      }
      items.add(item);
    } while (tokens.skip(PlainToken.COMMA));
    SqlNode from = null;
    if (tokens.skip(PlainToken.FROM)) {
      from = from();
      if (from == null) {
        return null;
      }
    }
    SqlNode where = null;
    if (tokens.skip(PlainToken.WHERE)) {
      where = expressions.expression();
      if (where == null) {
        return null;
      }
    }
    SqlNodeList group = null;
    if (from != null && tokens.is(PlainToken.GROUP)) {
      group = group();
      if (group == null) {
        return null;
      }
    }
    SqlNode having = null;
    if (from != null && tokens.skip(PlainToken.HAVING)) {
      having = expressions.expression();
      if (having == null) {
        return null;
      }
    }
    SqlParserPos last = tokens.positionBefore();
    return new SqlSelect(
        begin.plus(last),
        keywords,
        new SqlNodeList(items, SqlParserPos.sum(items)),
        from,
        where,
        group,
        having,
        null,
        null,
        null,
        null,
        null,
        new SqlNodeList(List.of(), last));
  }

  private SqlNode item() {
    if (tokens.is(PlainToken.STAR)) {
      SqlNode star = SqlIdentifier.star(tokens.position());
      tokens.next();
      return star;
    }
    SqlNode expression = expressions.expression();
    if (expression == null) {
      return null;
    }
    if (!tokens.skip(PlainToken.AS) && !tokens.isName()) {
      return expression;
    }
    SqlIdentifier name = expressions.simpleName();
    return name == null
        ? null
        : SqlStdOperatorTable.AS.createCall(
            name.getParserPosition().plusAll(List.of(expression)), expression, name);
  }

  private SqlNode from() {
    SqlNode from = table();
    while (from != null) {
      SqlParserPos before = tokens.positionBefore();
      SqlParserPos position = tokens.position();
      JoinType type = join();
      if (type == null) {
        return from;
      }
      boolean isComma = type == JoinType.COMMA;
      from =
          joined(
              from,
              SqlLiteral.createBoolean(false, isComma ? position : before),
              type.symbol(tokens.positionBefore()));
    }
    return null;
  }

  private JoinType join() {
    PlainToken first = tokens.kind();
    JoinType type =
        switch (first) {
          case COMMA -> JoinType.COMMA;
          case JOIN, INNER -> JoinType.INNER;
          case LEFT -> JoinType.LEFT;
          case RIGHT -> JoinType.RIGHT;
          case FULL -> JoinType.FULL;
          case CROSS -> JoinType.CROSS;
          default -> null;
        };
    if (type == null) {
      return null;
    }
    tokens.next();
    if (first == PlainToken.COMMA || first == PlainToken.JOIN) {
      return type;
    }
    if (type != JoinType.INNER && type != JoinType.CROSS) {
      tokens.skip(PlainToken.OUTER);
    }
    if (!tokens.skip(PlainToken.JOIN)) {
      tokens.refuse();
    }
    return type;
  }

  private SqlNode joined(SqlNode left, SqlLiteral natural, SqlLiteral type) {
    SqlParserPos position = type.getParserPosition();
    SqlNode right = table();
    if (right == null) {
      return null;
    }
    boolean isComma = type.getValueAs(JoinType.class) == JoinType.COMMA;
    SqlLiteral condition = JoinConditionType.NONE.symbol(isComma ? SqlParserPos.ZERO : position);
    SqlNode on = null;
    if (!isComma && tokens.is(PlainToken.ON)) {
      condition = JoinConditionType.ON.symbol(tokens.position());
      tokens.next();
      on = expressions.expression();
      if (on == null) {
        return null;
      }
    }
    return new SqlJoin(position, left, natural, type, right, condition, on);
  }

  private SqlNode table() {
    SqlIdentifier table = expressions.qualifiedName();
    if (table == null || tokens.is(PlainToken.OPEN)) {
      return null;
    }
    if (!tokens.skip(PlainToken.AS) && !tokens.isName()) {
      return table;
    }
    SqlIdentifier alias = expressions.simpleName();
    return alias == null || tokens.is(PlainToken.OPEN)
        ? null
        : SqlStdOperatorTable.AS.createCall(
            table.getParserPosition().plus(alias.getParserPosition()), table, alias);
  }

  private SqlNodeList group() {
    SqlParserPos begin = tokens.position();
    tokens.next();
    List<SqlNode> items = new ArrayList<>();
    return tokens.skip(PlainToken.BY) && expressions.list(items)
        ? new SqlNodeList(items, begin.plus(tokens.positionBefore()))
        : null;
  }

  private SqlNodeList order() {
    SqlParserPos begin = tokens.position();
    tokens.next();
    if (!tokens.skip(PlainToken.BY)) {
      return null;
    }
    List<SqlNode> items = new ArrayList<>();
    do {
      SqlNode item = orderItem();
      if (item == null) {
        return null;
      }
      items.add(item);
    } while (tokens.skip(PlainToken.COMMA));
    return new SqlNodeList(items, begin.plusAll(items));
  }

  private SqlNode orderItem() {
    SqlNode item = expressions.expression();
    if (item == null) {
      return null;
    }
    if (tokens.skip(PlainToken.DESC)) {
      item = SqlStdOperatorTable.DESC.createCall(tokens.positionBefore(), item);
    } else {
      tokens.skip(PlainToken.ASC);
    }
    if (!tokens.skip(PlainToken.NULLS)) {
      return item;
    }
    if (tokens.skip(PlainToken.FIRST)) {
      return SqlStdOperatorTable.NULLS_FIRST.createCall(tokens.positionBefore(), item);
    }
    return tokens.skip(PlainToken.LAST)
        ? SqlStdOperatorTable.NULLS_LAST.createCall(tokens.positionBefore(), item)
        : null;
  }
}
