package org.nelumbo.planner.frontend;

import java.util.Locale;
import java.util.StringJoiner;
import org.apache.calcite.sql.SqlDescribeSchema;
import org.apache.calcite.sql.SqlDescribeTable;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.Show;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.type.SqlErrors;

/** Translates SHOW and DESCRIBE into queries. */
public final class ShowQueries {
  private ShowQueries() {}

  /** Returns the query of a SHOW. */
  public static SqlNode of(Show show, CatalogState state, String schema) {
    String subject = String.join(".", show.subject().names);
    SqlIdentifier from = show.from();
    String query =
        switch (subject.toUpperCase(Locale.ROOT)) {
          case "ALL" -> all();
          case "SCHEMAS", "DATABASES" -> "SELECT SCHEMA_NAME, REMARKS FROM SYS.SCHEMAS";
          case "TABLES", "VIEWS" -> tables(subject, schemaOf(from, state, schema));
          case "SEQUENCES" ->
              "SELECT SEQUENCE_NAME, REMARKS FROM SYS.SEQUENCES WHERE SCHEMA_NAME = "
                  + quoted(schemaOf(from, state, schema));
          case "COLUMNS", "FIELDS" -> columns(table(show), state, schema);
          case "INDEX", "INDEXES", "KEYS" -> indexes(table(show), state, schema);
          default -> property(show, subject);
        };
    return SqlParsing.parseStatement(query);
  }

  /** Returns the query of a DESCRIBE. */
  public static SqlNode describe(SqlNode describe, CatalogState state, String schema) {
    return switch (describe) {
      case SqlDescribeTable table ->
          SqlParsing.parseStatement(columns(table.getTable(), state, schema));
      case SqlDescribeSchema of ->
          SqlParsing.parseStatement(tables("TABLES", schemaOf(of.getSchema(), state, schema)));
      default ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED,
              "DESCRIBE takes a table or a schema; use EXPLAIN for a statement");
    };
  }

  private static String all() {
    StringJoiner rows =
        new StringJoiner(", ", "SELECT * FROM (VALUES ", ") AS P (NAME, SETTING, DESCRIPTION)");
    for (String[] each : PropertyNames.descriptions()) {
      rows.add(row(each[0], each[1]));
    }
    PropertyNames.KEPT.forEach(name -> rows.add(row(name, "kept, without effect")));
    return rows.toString();
  }

  private static String row(String name, String description) {
    String text = quoted(name);
    return "(" + text + ", CURRENT_SETTING(" + text + "), " + quoted(description) + ")";
  }

  private static String property(Show show, String name) {
    String known = PropertyNames.known(name);
    if (show.from() != null || !PropertyNames.isKnown(name)) {
      throw unknown(name);
    }
    String label = name.toUpperCase(Locale.ROOT).replace("\"", "\"\"");
    return "SELECT CURRENT_SETTING(" + quoted(known) + ") AS \"" + label + '"';
  }

  private static NelumboException unknown(String name) {
    return new NelumboException(
        ErrorCode.INVALID_STATEMENT,
        "there is no property "
            + name
            + " of a session; SHOW ALL lists them, and SHOW TABLES, SHOW SCHEMAS and SHOW"
            + " COLUMNS FROM t list objects");
  }

  private static String tables(String subject, String schema) {
    boolean views = subject.equalsIgnoreCase("VIEWS");
    return "SELECT TABLE_NAME, TABLE_TYPE, REMARKS FROM SYS.TABLES WHERE SCHEMA_NAME = "
        + quoted(schema)
        + (views ? " AND TABLE_TYPE LIKE '%VIEW'" : "")
        + " ORDER BY TABLE_NAME";
  }

  private static String columns(SqlIdentifier table, CatalogState state, String schema) {
    return "SELECT COLUMN_NAME, DATA_TYPE, NULLABLE, COLUMN_DEFAULT, REMARKS FROM SYS.COLUMNS"
        + of(table, state, schema)
        + " ORDER BY ORDINAL";
  }

  private static String indexes(SqlIdentifier table, CatalogState state, String schema) {
    return "SELECT INDEX_NAME, IS_UNIQUE, IS_PRIMARY, ORDINAL, COLUMN_NAME, IS_ASCENDING,"
        + " FILTER_CONDITION FROM SYS.INDEXES"
        + of(table, state, schema)
        + " ORDER BY INDEX_NAME, ORDINAL";
  }

  private static String of(SqlIdentifier table, CatalogState state, String schema) {
    int parts = table.names.size();
    String where =
        parts > 1 ? table.names.get(parts - 2) : state.schemaOf(table.names.getLast(), schema);
    String name = table.names.getLast();
    if (state.relation(where, name) == null) {
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_TABLE, "Table '" + table + "' not found", table.getParserPosition());
    }
    return " WHERE SCHEMA_NAME = " + quoted(where) + " AND TABLE_NAME = " + quoted(name);
  }

  private static SqlIdentifier table(Show show) {
    if (show.from() == null) {
      throw SqlErrors.at(
          ErrorCode.SYNTAX_ERROR,
          "SHOW " + show.subject() + " names a table; write FROM table",
          show.getParserPosition());
    }
    return show.from();
  }

  private static String schemaOf(SqlIdentifier name, CatalogState state, String schema) {
    String wanted = name == null ? schema : name.names.getLast();
    state.checkSchema(wanted);
    return wanted;
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
