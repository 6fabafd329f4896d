package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.catalog.ViewEntry;
import org.nelumbo.planner.type.SqlErrors;

/** Names in schema changes, and what they stand for. */
public final class ObjectNames {
  private ObjectNames() {}

  /** The schema of a name that may leave it out. */
  static String schema(SqlIdentifier name, String defaultSchema) {
    if (name.names.size() > 2) {
      throw SqlErrors.at(
          ErrorCode.SYNTAX_ERROR,
          "name " + name + " has too many parts; write schema.name",
          name.getParserPosition());
    }
    return name.names.size() == 2 ? name.names.getFirst() : defaultSchema;
  }

  static String simple(SqlIdentifier name) {
    return name.names.getLast();
  }

  static List<String> list(SqlNodeList names) {
    List<String> list = new ArrayList<>();
    for (SqlNode name : names) {
      list.add(simple((SqlIdentifier) name));
    }
    return list;
  }

  /** The schema for something new; 3F000 if there is none, an error if it is the system's. */
  static String writableSchema(CatalogState state, SqlIdentifier name, String defaultSchema) {
    String schema = schema(name, defaultSchema);
    if (!state.hasSchema(schema)) {
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_SCHEMA,
          "Schema '" + schema + "' not found; there are " + String.join(", ", state.schemaNames()),
          name.getParserPosition());
    }
    if (TemporarySchema.isTemporary(schema)) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "schema " + schema + " is for temporary tables; write CREATE TEMPORARY TABLE",
          name.getParserPosition());
    }
    if (CatalogState.isSystem(schema)) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "schema " + schema + " is the system's own and cannot be changed",
          name.getParserPosition());
    }
    return schema;
  }

  /** The schema of the relation that a name means: temporary tables hide others. */
  static String existing(CatalogState state, SqlIdentifier name, String defaultSchema) {
    String schema = schema(name, defaultSchema);
    if (schema.equals(TemporarySchema.ALIAS) && state.temporarySchema() != null) {
      return state.temporarySchema();
    }
    return name.names.size() > 1 ? schema : state.schemaOf(simple(name), schema);
  }

  /** The schema for a new temporary table, which may be said. */
  static String temporarySchema(CatalogState state, SqlIdentifier name) {
    String said = schema(name, TemporarySchema.ALIAS);
    if (!said.equals(TemporarySchema.ALIAS) && !said.equals(state.temporarySchema())) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "temporary tables have a schema of their own; leave out the name of one",
          name.getParserPosition());
    }
    return state.temporarySchema();
  }

  /** A table; null if there is none. */
  static TableEntry find(CatalogState state, SqlIdentifier name, String defaultSchema) {
    String schema = existing(state, name, defaultSchema);
    Relation relation = state.hasSchema(schema) ? state.relation(schema, simple(name)) : null;
    return switch (relation) {
      case null -> null;
      case TableEntry table -> table;
      default ->
          throw SqlErrors.at(
              ErrorCode.INVALID_STATEMENT,
              name
                  + (relation instanceof ViewEntry
                      ? " is a view, no table"
                      : relation instanceof SequenceEntry
                          ? " is a sequence, no table"
                          : " is a system view and cannot be changed"),
              name.getParserPosition());
    };
  }

  /** A table; 42S02 if there is none. */
  public static TableEntry table(CatalogState state, SqlIdentifier name, String defaultSchema) {
    TableEntry table = find(state, name, defaultSchema);
    if (table == null) {
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_TABLE, "Table '" + name + "' not found", name.getParserPosition());
    }
    return table;
  }

  /** Refuses a name that a table, view or sequence of the schema has. */
  static void checkFree(CatalogState state, String schema, SqlIdentifier name) {
    if (state.relation(schema, simple(name)) != null) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "'" + simple(name) + "' exists already; choose another name",
          name.getParserPosition());
    }
  }

  /** A name as SQL text. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A table's name as SQL text. */
  static String quoted(TableEntry table) {
    return quoted(table.schemaName()) + "." + quoted(table.name());
  }

  static NelumboException noColumn(SqlIdentifier column, String table) {
    return SqlErrors.at(
        ErrorCode.NO_SUCH_COLUMN,
        "Column '" + column + "' not found in table '" + table + "'",
        column.getParserPosition());
  }

  /**
   * Returns the first free name among a stem and the same with a number after it.
   *
   * @param first the first number; 0 stands for the stem alone
   */
  static String free(String stem, int first, Predicate<String> isTaken) {
    int number = first;
    String name = number == 0 ? stem : stem + number;
    while (isTaken.test(name)) {
      number++;
      name = stem + number;
    }
    return name;
  }
}
