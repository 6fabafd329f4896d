package org.nelumbo.parser.ast;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/**
 * Implements DISTINCT ON and WITH TIES. Both select rows by their numbers, so they become a
 * condition on a window function, in QUALIFY. Also handles TOP, which is equivalent to LIMIT.
 */
public final class FirstRows {
  private FirstRows() {}

  /** A query with DISTINCT ON whose ORDER BY has not been parsed yet. */
  private static final class DistinctOn extends SqlSelect {
    private final SqlNodeList keys;

    DistinctOn(SqlSelect query, SqlNodeList keys) {
      super(
          query.getParserPosition(),
          null,
          query.getSelectList(),
          query.getFrom(),
          query.getWhere(),
          query.getGroup(),
          query.getHaving(),
          query.getWindowList(),
          query.getQualify(),
          null,
          null,
          null,
          query.getHints());
      this.keys = keys;
    }
  }

  /**
   * Adds the clauses after the keyword SELECT to a query.
   *
   * @param keys keys of DISTINCT ON; null if there are none
   * @param top number of rows of TOP; null for all
   */
  public static SqlSelect of(SqlSelect query, SqlNodeList keys, SqlNode top) {
    SqlSelect first = keys == null ? query : distinctOn(query, keys);
    first.setFetch(top);
    return first;
  }

  /** Returns true for a query with TOP, whose ORDER BY has not been parsed yet. */
  public static boolean hasTop(SqlNode query) {
    return query instanceof SqlSelect select && select.getFetch() != null;
  }

  /**
   * Returns a query that keeps the first row of those with equal keys, in the order that follows.
   */
  private static SqlSelect distinctOn(SqlSelect query, SqlNodeList keys) {
    if (query.getQualify() != null) {
      throw SqlSyntaxException.at(
          keys.getParserPosition(), "DISTINCT ON cannot be used with QUALIFY");
    }
    DistinctOn distinct = new DistinctOn(query, keys);
    keepFirst(distinct, SqlNodeList.EMPTY);
    return distinct;
  }

  private static void keepFirst(DistinctOn query, SqlNodeList order) {
    SqlParserPos position = query.keys.getParserPosition();
    SqlNode number =
        over(
            SqlStdOperatorTable.ROW_NUMBER,
            computedAll(query, query.keys),
            computedAll(query, order),
            position);
    query.setQualify(SqlStdOperatorTable.EQUALS.createCall(position, number, number(1, position)));
  }

  /** Returns the row count of FETCH FIRST n ROWS WITH TIES, marked as such. */
  public static SqlNode withTies(SqlNode count) {
    return Ties.OPERATOR.createCall(count.getParserPosition(), count);
  }

  /** The marker of a row count; it never remains in a statement. */
  private static final class Ties extends org.apache.calcite.sql.SqlSpecialOperator {
    static final Ties OPERATOR = new Ties();

    private Ties() {
      super("WITH TIES", SqlKind.OTHER);
    }
  }

  /** Adds ORDER BY, OFFSET and FETCH to a query; each is null or empty if absent. */
  public static SqlNode ordered(
      SqlParserPos position, SqlNode query, SqlNodeList order, SqlNode offset, SqlNode fetch) {
    if (hasTop(query)) {
      SqlNode top = ((SqlSelect) query).getFetch();
      if (fetch != null) {
        throw SqlSyntaxException.at(
            top.getParserPosition(), "TOP and LIMIT both set the number of rows; leave one out");
      }
      ((SqlSelect) query).setFetch(null);
      return ordered(position, query, order, offset, top);
    }
    if (query instanceof DistinctOn distinct && !order.isEmpty()) {
      keepFirst(distinct, order);
    }
    if (!(fetch instanceof SqlCall call) || !call.getOperator().equals(Ties.OPERATOR)) {
      return new SqlOrderBy(position, query, order, offset, fetch);
    }
    SqlNode count = call.operand(0);
    if (order.isEmpty()) {
      throw SqlSyntaxException.at(count.getParserPosition(), "WITH TIES needs ORDER BY");
    }
    SqlSelect kept = plain(query);
    SqlNode rank =
        over(SqlStdOperatorTable.RANK, SqlNodeList.EMPTY, computedAll(kept, order), position);
    kept.setQualify(
        SqlStdOperatorTable.LESS_THAN_OR_EQUAL.createCall(position, rank, last(offset, count)));
    return new SqlOrderBy(position, kept, order, offset, null);
  }

  /** Returns a query whose rows can be numbered: the query itself, or one that selects from it. */
  private static SqlSelect plain(SqlNode query) {
    if (query instanceof SqlSelect select && !select.isDistinct() && select.getQualify() == null) {
      return select;
    }
    SqlParserPos position = query.getParserPosition();
    SqlNode source =
        SqlStdOperatorTable.AS.createCall(position, query, new SqlIdentifier("Q", position));
    return new SqlSelect(
        position,
        null,
        new SqlNodeList(List.of(SqlIdentifier.star(position)), position),
        source,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static SqlNode last(SqlNode offset, SqlNode count) {
    SqlParserPos position = count.getParserPosition();
    if (offset == null) {
      return bigint(count);
    }
    return SqlStdOperatorTable.PLUS.createCall(
        position, bigint(offset.accept(new CopyingShuttle())), bigint(count));
  }

  private static SqlNode bigint(SqlNode number) {
    SqlParserPos position = number.getParserPosition();
    return SqlStdOperatorTable.CAST.createCall(
        position,
        number,
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.BIGINT, position), position));
  }

  private static SqlNode number(long value, SqlParserPos position) {
    return SqlLiteral.createExactNumeric(Long.toString(value), position);
  }

  private static SqlNode over(
      SqlOperator function, SqlNodeList partition, SqlNodeList order, SqlParserPos position) {
    SqlLiteral rows = SqlLiteral.createBoolean(false, position);
    SqlNode window =
        SqlWindow.create(null, null, partition, order, rows, null, null, null, position);
    return SqlStdOperatorTable.OVER.createCall(position, function.createCall(position), window);
  }

  private static SqlNodeList computedAll(SqlSelect query, SqlNodeList keys) {
    List<SqlNode> list = new ArrayList<>();
    for (SqlNode key : keys) {
      list.add(computed(query, key));
    }
    return new SqlNodeList(list, keys.getParserPosition());
  }

  private static SqlNode computed(SqlSelect query, SqlNode key) {
    SqlKind kind = key.getKind();
    if (kind == SqlKind.DESCENDING || kind == SqlKind.NULLS_FIRST || kind == SqlKind.NULLS_LAST) {
      SqlCall call = (SqlCall) key;
      return call.getOperator()
          .createCall(key.getParserPosition(), computed(query, call.operand(0)));
    }
    SqlNode meant = key;
    if (key instanceof SqlNumericLiteral number && number.isInteger()) {
      meant = numbered(query, number);
    } else if (key instanceof SqlIdentifier name && name.isSimple()) {
      meant = named(query, name);
    }
    return meant.accept(new CopyingShuttle());
  }

  private static SqlNode numbered(SqlSelect query, SqlNumericLiteral number) {
    SqlNodeList items = query.getSelectList();
    BigDecimal index = number.bigDecimalValue();
    boolean isThere = index.signum() > 0 && index.compareTo(BigDecimal.valueOf(items.size())) <= 0;
    for (int i = 0; isThere && i < index.intValue(); i++) {
      isThere = !(items.get(i) instanceof SqlIdentifier name && name.isStar());
    }
    if (!isThere) {
      throw SqlSyntaxException.at(
          number.getParserPosition(),
          "column " + index + " cannot be determined; with DISTINCT ON and WITH TIES, name it");
    }
    return withoutAlias(items.get(index.intValue() - 1));
  }

  private static SqlNode named(SqlSelect query, SqlIdentifier name) {
    for (SqlNode item : query.getSelectList()) {
      if (item.getKind() == SqlKind.AS
          && ((SqlCall) item).operand(1) instanceof SqlIdentifier alias
          && alias.getSimple().equals(name.getSimple())) {
        return withoutAlias(item);
      }
    }
    return name;
  }

  private static SqlNode withoutAlias(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }
}
