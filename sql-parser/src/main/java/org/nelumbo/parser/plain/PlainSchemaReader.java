package org.nelumbo.parser.plain;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.ast.AddConstraint;
import org.nelumbo.parser.ast.AlterTable;
import org.nelumbo.parser.ast.CheckConstraint;
import org.nelumbo.parser.ast.Constraint;
import org.nelumbo.parser.ast.CreateIndex;
import org.nelumbo.parser.ast.CreateTable;
import org.nelumbo.parser.ast.ForeignKeyConstraint;
import org.nelumbo.parser.ast.IndexColumn;
import org.nelumbo.parser.ast.PrimaryKeyConstraint;
import org.nelumbo.parser.ast.ReferentialAction;
import org.nelumbo.parser.ast.UniqueConstraint;

/**
 * Parses CREATE TABLE with columns and constraints, CREATE INDEX on columns, and ALTER TABLE that
 * adds one constraint. Null means that a statement is not supported.
 */
final class PlainSchemaReader {
  private final PlainTokens tokens;
  private final PlainExpressionReader expressions;

  PlainSchemaReader(PlainTokens tokens, PlainExpressionReader expressions) {
    this.tokens = tokens;
    this.expressions = expressions;
  }

  /** Parses a schema change, which begins at the current token. */
  SqlNode change() {
    SqlParserPos begin = tokens.position();
    if (tokens.skipWord("ALTER")) {
      return tokens.skipWord("TABLE") ? alterTable(begin) : null;
    } else if (!tokens.skipWord("CREATE")) {
      return null;
    } else if (tokens.skipWord("TABLE")) {
      return createTable(begin);
    }
    boolean unique = tokens.skipWord("UNIQUE");
    return tokens.skipWord("INDEX") ? createIndex(begin, unique) : null;
  }

  private SqlNode alterTable(SqlParserPos begin) {
    SqlIdentifier table = expressions.qualifiedName();
    SqlParserPos add = tokens.position();
    if (table == null || !tokens.skipWord("ADD")) {
      return null;
    }
    Constraint constraint = constraint(null);
    if (constraint == null) {
      return null;
    }
    SqlParserPos last = tokens.positionBefore();
    List<SqlNode> changes = List.of(new AddConstraint(add.plus(last), constraint));
    return new AlterTable(
        begin.plus(last), table, false, new SqlNodeList(changes, SqlParserPos.sum(changes)));
  }

  private SqlNode createIndex(SqlParserPos begin, boolean unique) {
    boolean ifNotExists = tokens.isWord("IF");
    if (ifNotExists && !skipIfNotExists()) {
      return null;
    }
    SqlIdentifier name = null;
    if (!tokens.is(PlainToken.ON)) {
      name = expressions.qualifiedName();
      if (name == null) {
        return null;
      }
    }
    SqlIdentifier table = tokens.skip(PlainToken.ON) ? expressions.qualifiedName() : null;
    if (table == null || !tokens.skip(PlainToken.OPEN)) {
      return null;
    }
    List<SqlNode> columns = new ArrayList<>();
    do {
      SqlIdentifier column = expressions.simpleName();
      if (column == null) {
        return null;
      }
      boolean descending = tokens.is(PlainToken.DESC);
      boolean isAlone = !tokens.skip(PlainToken.DESC) && !tokens.skip(PlainToken.ASC);
      SqlParserPos position =
          isAlone
              ? column.getParserPosition()
              : column.getParserPosition().plus(tokens.positionBefore());
      columns.add(new IndexColumn(position, column, descending));
    } while (tokens.skip(PlainToken.COMMA));
    return tokens.skip(PlainToken.CLOSE)
        ? new CreateIndex(
            begin.plus(tokens.positionBefore()),
            name,
            table,
            new SqlNodeList(columns, SqlParserPos.sum(columns)),
            null,
            unique,
            ifNotExists)
        : null;
  }

  private SqlNode createTable(SqlParserPos begin) {
    boolean ifNotExists = tokens.isWord("IF");
    if (ifNotExists && !skipIfNotExists()) {
      return null;
    }
    SqlIdentifier name = expressions.qualifiedName();
    SqlParserPos open = tokens.position();
    if (name == null || !tokens.skip(PlainToken.OPEN)) {
      return null;
    }
    PlainColumnReader columns = new PlainColumnReader(tokens, expressions, this);
    List<SqlNode> elements = new ArrayList<>();
    do {
      SqlNode element = isConstraint() ? constraint(null) : columns.column();
      if (element == null) {
        return null;
      }
      elements.add(element);
    } while (tokens.skip(PlainToken.COMMA));
    return tokens.skip(PlainToken.CLOSE)
        ? new CreateTable(
            begin.plus(tokens.positionBefore()),
            name,
            ifNotExists,
            new SqlNodeList(elements, open.plus(tokens.positionBefore())),
            SqlNodeList.EMPTY,
            null,
            true,
            null)
        : null;
  }

  private boolean skipIfNotExists() {
    return tokens.skipWord("IF") && tokens.skip(PlainToken.NOT) && tokens.skipWord("EXISTS");
  }

  private boolean isConstraint() {
    return tokens.isWord("CONSTRAINT")
        || tokens.isWord("PRIMARY")
        || tokens.isWord("UNIQUE")
        || tokens.isWord("FOREIGN")
        || tokens.isWord("CHECK");
  }

  /**
   * Parses a constraint with its optional name; returns null if it is not supported.
   *
   * @param column the column beside which it is written; null for a constraint of the table
   */
  Constraint constraint(SqlNodeList column) {
    SqlParserPos begin = tokens.position();
    SqlIdentifier name = null;
    if (tokens.skipWord("CONSTRAINT")) {
      name = expressions.simpleName();
      if (name == null) {
        return null;
      }
    }
    if (tokens.skipWord("PRIMARY")) {
      SqlNodeList columns = tokens.skipWord("KEY") ? columns(column) : null;
      return columns == null ? null : new PrimaryKeyConstraint(to(begin), name, columns);
    } else if (tokens.skipWord("UNIQUE")) {
      SqlNodeList columns = columns(column);
      return columns == null ? null : new UniqueConstraint(to(begin), name, columns);
    } else if (tokens.skipWord("CHECK")) {
      return check(begin, name);
    } else if (column != null) {
      return references(begin, name, column);
    }
    SqlNodeList columns =
        tokens.skipWord("FOREIGN") && tokens.skipWord("KEY") ? columns(null) : null;
    return columns == null ? null : references(begin, name, columns);
  }

  private SqlParserPos to(SqlParserPos begin) {
    return begin.plus(tokens.positionBefore());
  }

  private SqlNodeList columns(SqlNodeList known) {
    return known == null ? names() : known;
  }

  /** Parses names in parentheses. */
  private SqlNodeList names() {
    SqlParserPos open = tokens.position();
    if (!tokens.skip(PlainToken.OPEN)) {
      return null;
    }
    List<SqlNode> names = new ArrayList<>();
    do {
      SqlIdentifier name = expressions.simpleName();
      if (name == null) {
        return null;
      }
      names.add(name);
    } while (tokens.skip(PlainToken.COMMA));
    return tokens.skip(PlainToken.CLOSE) ? new SqlNodeList(names, to(open)) : null;
  }

  private Constraint check(SqlParserPos begin, SqlIdentifier name) {
    SqlNode condition = tokens.skip(PlainToken.OPEN) ? expressions.expression() : null;
    return condition != null && tokens.skip(PlainToken.CLOSE)
        ? new CheckConstraint(to(begin), name, condition)
        : null;
  }

  private Constraint references(SqlParserPos begin, SqlIdentifier name, SqlNodeList columns) {
    SqlIdentifier table = tokens.skipWord("REFERENCES") ? expressions.qualifiedName() : null;
    if (table == null) {
      return null;
    }
    SqlNodeList referenced = null;
    if (tokens.is(PlainToken.OPEN)) {
      referenced = names();
      if (referenced == null) {
        return null;
      }
    }
    ReferentialAction onDelete = ReferentialAction.NO_ACTION;
    ReferentialAction onUpdate = ReferentialAction.NO_ACTION;
    while (tokens.skip(PlainToken.ON)) {
      boolean isDelete = tokens.skip(PlainToken.DELETE);
      ReferentialAction action =
          isDelete || tokens.skip(PlainToken.UPDATE) ? referentialAction() : null;
      if (action == null) {
        return null;
      } else if (isDelete) {
        onDelete = action;
      } else {
        onUpdate = action;
      }
    }
    return new ForeignKeyConstraint(
        to(begin), name, columns, table, referenced, onDelete, onUpdate);
  }

  private ReferentialAction referentialAction() {
    if (tokens.skipWord("CASCADE")) {
      return ReferentialAction.CASCADE;
    } else if (tokens.skipWord("RESTRICT")) {
      return ReferentialAction.RESTRICT;
    } else if (tokens.skipWord("NO")) {
      return tokens.skipWord("ACTION") ? ReferentialAction.NO_ACTION : null;
    } else if (!tokens.skip(PlainToken.SET)) {
      return null;
    } else if (tokens.skip(PlainToken.NULL)) {
      return ReferentialAction.SET_NULL;
    }
    return tokens.skip(PlainToken.DEFAULT) ? ReferentialAction.SET_DEFAULT : null;
  }
}
