package org.nelumbo.parser.plain;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.ast.OverridingInsert;

/**
 * Parses INSERT with rows of values, and UPDATE and DELETE of one table. Null means that a
 * statement is not supported.
 */
final class PlainChangeReader {
  private final PlainTokens tokens;
  private final PlainExpressionReader expressions;

  PlainChangeReader(PlainTokens tokens, PlainExpressionReader expressions) {
    this.tokens = tokens;
    this.expressions = expressions;
  }

  /** Parses a change, which begins at the current token. */
  SqlNode change() {
    SqlParserPos begin = tokens.position();
    if (tokens.skip(PlainToken.INSERT)) {
      return tokens.skip(PlainToken.INTO) ? insert(begin) : null;
    } else if (tokens.skip(PlainToken.UPDATE)) {
      return update(begin);
    }
    tokens.next();
    return tokens.skip(PlainToken.FROM) ? delete(begin) : null;
  }

  private SqlNode insert(SqlParserPos begin) {
    SqlIdentifier table = expressions.qualifiedName();
    if (table == null) {
      return null;
    }
    SqlNodeList columns = null;
    if (tokens.is(PlainToken.OPEN)) {
      columns = columns();
      if (columns == null) {
        return null;
      }
    }
    SqlNode rows = rows();
    return rows == null
        ? null
        : new OverridingInsert(
            begin.plus(rows.getParserPosition()),
            new SqlNodeList(List.of(), begin),
            table,
            rows,
            columns,
            null);
  }

  private SqlNodeList columns() {
    SqlParserPos begin = tokens.position();
    List<SqlNode> columns = new ArrayList<>();
    do {
      tokens.next();
      SqlIdentifier column = expressions.simpleName();
      if (column == null) {
        return null;
      }
      columns.add(column);
    } while (tokens.is(PlainToken.COMMA));
    return tokens.skip(PlainToken.CLOSE)
        ? new SqlNodeList(columns, begin.plus(tokens.positionBefore()))
        : null;
  }

  private SqlNode rows() {
    SqlParserPos begin = tokens.position();
    if (!tokens.skip(PlainToken.VALUES)) {
      return null;
    }
    List<SqlNode> rows = new ArrayList<>();
    do {
      SqlNode row = row();
      if (row == null) {
        return null;
      }
      rows.add(row);
    } while (tokens.skip(PlainToken.COMMA));
    return SqlStdOperatorTable.VALUES.createCall(begin.plus(tokens.positionBefore()), rows);
  }

  private SqlNode row() {
    SqlParserPos begin = tokens.position();
    if (!tokens.skip(PlainToken.OPEN)) {
      return null;
    }
    List<SqlNode> values = new ArrayList<>();
    do {
      SqlNode value = value();
      if (value == null) {
        return null;
      }
      values.add(value);
    } while (tokens.skip(PlainToken.COMMA));
    return tokens.skip(PlainToken.CLOSE)
        ? SqlStdOperatorTable.ROW.createCall(begin.plus(tokens.positionBefore()), values)
        : null;
  }

  /** Parses an expression or DEFAULT. */
  private SqlNode value() {
    return tokens.skip(PlainToken.DEFAULT)
        ? SqlStdOperatorTable.DEFAULT.createCall(tokens.positionBefore())
        : expressions.expression();
  }

  private SqlNode update(SqlParserPos begin) {
    SqlIdentifier table = expressions.qualifiedName();
    SqlIdentifier alias = table == null ? null : alias();
    if (table == null || !tokens.skip(PlainToken.SET)) {
      return null;
    }
    List<SqlNode> columns = new ArrayList<>();
    List<SqlNode> values = new ArrayList<>();
    do {
      SqlIdentifier column = expressions.qualifiedName();
      SqlNode value = column == null || !tokens.skip(PlainToken.EQUAL) ? null : value();
      if (value == null) {
        return null;
      }
      columns.add(column);
      values.add(value);
    } while (tokens.skip(PlainToken.COMMA));
    SqlNode where = null;
    if (tokens.skip(PlainToken.WHERE)) {
      where = expressions.expression();
      if (where == null) {
        return null;
      }
    }
    return new SqlUpdate(
        begin.plus(tokens.positionBefore()),
        table,
        new SqlNodeList(columns, SqlParserPos.sum(columns)),
        new SqlNodeList(values, SqlParserPos.sum(values)),
        where,
        null,
        alias);
  }

  private SqlNode delete(SqlParserPos begin) {
    SqlIdentifier table = expressions.qualifiedName();
    if (table == null) {
      return null;
    }
    SqlIdentifier alias = alias();
    SqlNode where = null;
    if (tokens.skip(PlainToken.WHERE)) {
      where = expressions.expression();
      if (where == null) {
        return null;
      }
    }
    return new SqlDelete(begin.plus(tokens.positionBefore()), table, where, null, alias);
  }

  /** Parses an alias; returns null if there is none. */
  private SqlIdentifier alias() {
    boolean isNamed = tokens.skip(PlainToken.AS);
    SqlIdentifier alias = isNamed || tokens.isName() ? expressions.simpleName() : null;
    if (isNamed && alias == null) {
      tokens.refuse();
    }
    return alias;
  }
}
