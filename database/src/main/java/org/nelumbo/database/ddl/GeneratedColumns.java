package org.nelumbo.database.ddl;

import java.util.Arrays;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.ast.ReferentialAction;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.type.SqlErrors;

/** Checks columns that are computed from others: GENERATED ALWAYS AS (expression). */
final class GeneratedColumns {
  private GeneratedColumns() {}

  /**
   * Rejects expressions that do not compute a value of the column from other columns of the row.
   */
  static void check(TableDefinition table, SqlFrontEnd frontEnd, CatalogState state, SqlNode node) {
    for (GeneratedDefinition each : table.generated()) {
      String column = table.columns().get(each.column()).name();
      for (GeneratedDefinition other : table.generated()) {
        String name = table.columns().get(other.column()).name();
        if (ColumnUses.names(each.text(), name)) {
          throw SqlErrors.at(
              ErrorCode.INVALID_STATEMENT,
              "column " + column + " cannot be computed from " + name + ", which is generated too",
              node.getParserPosition());
        }
      }
      if (Arrays.stream(table.primaryKey()).anyMatch(key -> key == each.column())) {
        throw SqlErrors.at(
            ErrorCode.UNSUPPORTED,
            "generated column " + column + " cannot be part of the primary key; make it UNIQUE",
            node.getParserPosition());
      }
      frontEnd.checkGeneration(each.text(), table, each.column(), state);
    }
    table.foreignKeys().forEach(key -> check(table, key));
  }

  /** Rejects referential actions that would set a generated column. */
  static void check(TableDefinition table, ForeignKeyDefinition key) {
    boolean generated =
        Arrays.stream(key.columns()).anyMatch(column -> table.generation(column) != null);
    if (generated && (sets(key.onDelete(), false) || sets(key.onUpdate(), true))) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT,
          "foreign key "
              + key.name()
              + " would set a generated column; use NO ACTION, RESTRICT or ON DELETE CASCADE");
    }
  }

  private static boolean sets(ReferentialAction action, boolean keyChanges) {
    return switch (action) {
      case NO_ACTION, RESTRICT -> false;
      case CASCADE -> keyChanges;
      case SET_NULL, SET_DEFAULT -> true;
    };
  }
}
