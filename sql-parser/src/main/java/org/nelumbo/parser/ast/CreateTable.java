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
 * CREATE TABLE, with a list of columns and constraints, with a query, or with both.
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

  /** Returns the ON COMMIT action of a temporary table, or null for other tables. */
  public OnCommit onCommit() {
    return onCommit;
  }

  /** Returns the name of the table, with or without its schema. */
  public SqlIdentifier name() {
    return name;
  }

  /** Returns true if an existing table is not an error. */
  public boolean ifNotExists() {
    return ifNotExists;
  }

  /**
   * Returns the {@link ColumnDefinition}s and {@link Constraint}s as written, or null if there is
   * no list. CREATE TABLE ... AS may have names instead of column definitions.
   */
  public SqlNodeList elements() {
    return elements;
  }

  /** Returns the {@link TableOption}s; empty if there are none. */
  public SqlNodeList options() {
    return options;
  }

  /** Returns the query of CREATE TABLE ... AS, or null if there is none. */
  public SqlNode query() {
    return query;
  }

  /** Returns true if the table receives the rows of its query, not only the columns. */
  public boolean withData() {
    return withData;
  }

  /** Returns the names of columns without a definition, in order. */
  public List<SqlNode> names() {
    List<SqlNode> names = new ArrayList<>();
    for (SqlNode element : elements == null ? SqlNodeList.EMPTY : elements) {
      if (element instanceof SqlIdentifier) {
        names.add(element);
      }
    }
    return names;
  }

  /** Returns the columns with a definition, in order. */
  public List<ColumnDefinition> columns() {
    List<ColumnDefinition> columns = new ArrayList<>();
    for (SqlNode element : elements == null ? SqlNodeList.EMPTY : elements) {
      if (element instanceof ColumnDefinition column) {
        columns.add(column);
      }
    }
    return columns;
  }

  /** Returns all constraints in textual order, including those beside a column. */
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
