package org.nelumbo.parser.ast;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * CREATE TABLE, with a list of columns and constraints or with a query, or both.
 *
 * <p>Options are those of {@code WITH (critical_field = 'w_id', versions = 2, ordered = false)}.
 */
public final class CreateTable extends NelumboStatement {
  private final SqlIdentifier name;
  private final boolean ifNotExists;
  private final SqlNodeList elements;
  private final SqlNodeList options;
  private final SqlNode query;
  private final boolean withData;
  private final OnCommit onCommit;

  /** Made by the parser; the arguments are described at the getters. */
  public CreateTable(
      SqlParserPos pos,
      SqlIdentifier name,
      boolean ifNotExists,
      SqlNodeList elements,
      SqlNodeList options,
      SqlNode query,
      boolean withData,
      OnCommit onCommit) {
    super(StatementKind.CREATE_TABLE, SqlKind.CREATE_TABLE, pos);
    this.name = name;
    this.ifNotExists = ifNotExists;
    this.elements = elements;
    this.options = options;
    this.query = query;
    this.withData = withData;
    this.onCommit = onCommit;
  }

  /** What becomes of a temporary table at the end of a transaction; null if it is none. */
  public OnCommit onCommit() {
    return onCommit;
  }

  /** The table, with or without its schema. */
  public SqlIdentifier name() {
    return name;
  }

  /** Whether an existing table is no error. */
  public boolean ifNotExists() {
    return ifNotExists;
  }

  /**
   * {@link ColumnDefinition}s and {@link Constraint}s as written; for CREATE TABLE ... AS possibly
   * plain names; null if there is no list.
   */
  public SqlNodeList elements() {
    return elements;
  }

  /** {@link TableOption}s; empty if none. */
  public SqlNodeList options() {
    return options;
  }

  /** The query of CREATE TABLE ... AS; null if none. */
  public SqlNode query() {
    return query;
  }

  /** Whether the table gets the rows of its query, not only the columns. */
  public boolean withData() {
    return withData;
  }

  /** The names of columns that have no definition, in order. */
  public List<SqlNode> names() {
    List<SqlNode> names = new ArrayList<>();
    for (SqlNode element : elements == null ? SqlNodeList.EMPTY : elements) {
      if (element instanceof SqlIdentifier) {
        names.add(element);
      }
    }
    return names;
  }

  /** The columns that have a definition, in order. */
  public List<ColumnDefinition> columns() {
    List<ColumnDefinition> columns = new ArrayList<>();
    for (SqlNode element : elements == null ? SqlNodeList.EMPTY : elements) {
      if (element instanceof ColumnDefinition column) {
        columns.add(column);
      }
    }
    return columns;
  }

  /** All constraints, those written beside a column included, in order of the text. */
  public List<Constraint> constraints() {
    List<Constraint> constraints = new ArrayList<>();
    for (SqlNode element : elements == null ? SqlNodeList.EMPTY : elements) {
      if (element instanceof ColumnDefinition column) {
        column.constraints().forEach(constraint -> constraints.add((Constraint) constraint));
      } else if (element instanceof Constraint constraint) {
        constraints.add(constraint);
      }
    }
    return constraints;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, elements, options, query);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new CreateTable(
        pos,
        (SqlIdentifier) children.get(0),
        ifNotExists,
        (SqlNodeList) children.get(1),
        (SqlNodeList) children.get(2),
        children.get(3),
        withData,
        onCommit);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(onCommit == null ? "CREATE TABLE" : "CREATE TEMPORARY TABLE");
    Writing.keywordIf(writer, ifNotExists, "IF NOT EXISTS");
    name.unparse(writer, 0, 0);
    Writing.parenthesizedIf(writer, elements);
    if (!options.isEmpty()) {
      writer.keyword("WITH");
      Writing.parenthesized(writer, options);
    }
    Writing.keywordIf(writer, onCommit == OnCommit.DELETE_ROWS, "ON COMMIT DELETE ROWS");
    Writing.keywordIf(writer, onCommit == OnCommit.DROP, "ON COMMIT DROP");
    Writing.clauseIf(writer, "AS", query);
    Writing.keywordIf(writer, !withData, "WITH NO DATA");
  }
}
