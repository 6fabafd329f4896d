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

/** Resolves names in schema changes. */
public final class ObjectNames {
  private ObjectNames() {}

  /** Returns the schema of a name, or the default schema if the name is unqualified. */
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

  /**
   * Returns the schema for a new object; throws 3F000 if it does not exist, another error if it is
   * a system schema.
   */
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
          "schema " + schema + " is a system schema and cannot be changed",
          name.getParserPosition());
    }
    return schema;
  }

  /** Returns the schema of the relation that a name refers to; temporary tables hide others. */
  static String existing(CatalogState state, SqlIdentifier name, String defaultSchema) {
    String schema = schema(name, defaultSchema);
    if (schema.equals(TemporarySchema.ALIAS) && state.temporarySchema() != null) {
      return state.temporarySchema();
    }
    return name.names.size() > 1 ? schema : state.schemaOf(simple(name), schema);
  }

  /** Returns the schema for a new temporary table; its name may be qualified with it. */
  static String temporarySchema(CatalogState state, SqlIdentifier name) {
    String said = schema(name, TemporarySchema.ALIAS);
    if (!said.equals(TemporarySchema.ALIAS) && !said.equals(state.temporarySchema())) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "temporary tables have their own schema; leave out the schema name",
          name.getParserPosition());
    }
    return state.temporarySchema();
  }

  /** Returns a table, or null if it does not exist. */
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
                      ? " is a view, not a table"
                      : relation instanceof SequenceEntry
                          ? " is a sequence, not a table"
                          : " is a system view and cannot be changed"),
              name.getParserPosition());
    };
  }

  /** Returns a table; throws 42S02 if it does not exist. */
  public static TableEntry table(CatalogState state, SqlIdentifier name, String defaultSchema) {
    TableEntry table = find(state, name, defaultSchema);
    if (table == null) {
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_TABLE, "Table '" + name + "' not found", name.getParserPosition());
    }
    return table;
  }

  /** Rejects the name of an existing table, view or sequence of the schema. */
  static void checkFree(CatalogState state, String schema, SqlIdentifier name) {
    if (state.relation(schema, simple(name)) != null) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "'" + simple(name) + "' exists already; choose another name",
          name.getParserPosition());
    }
  }

  /** Returns a name as a quoted SQL identifier. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Returns the qualified name of a table as quoted SQL identifiers. */
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
   * Returns the first free name among a stem and the stem followed by increasing numbers.
   *
   * @param first the first number; 0 for the stem alone
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
