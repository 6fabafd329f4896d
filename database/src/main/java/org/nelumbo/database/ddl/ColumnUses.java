package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.nelumbo.dm.env.DeepStack;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.CheckDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.StoredText;

/** Finds the uses of a column: indexes, conditions and foreign keys. */
final class ColumnUses {
  private ColumnUses() {}

  /**
   * Returns the text of an object that needs the column and is not dropped with it (generated
   * column, index on an expression, foreign key of another table), or null if there is none.
   */
  static String ofOthers(CatalogState state, TableEntry table, int column) {
    String generated = generated(table.definition(), column);
    return generated != null ? generated : reference(state, table, column);
  }

  /** Removes the indexes and constraints that are dropped with a column from a definition. */
  static TableDefinition without(TableDefinition table, int column) {
    String name = table.columns().get(column).name();
    Comments comments = table.comments();
    List<IndexDefinition> indexes = new ArrayList<>(table.indexes());
    for (IndexDefinition index : table.indexes()) {
      if (contains(index.schema().columns(), column)) {
        indexes.remove(index);
        comments =
            comments
                .with(Comments.Part.INDEX, index.schema().name(), null)
                .with(Comments.Part.CONSTRAINT, index.schema().name(), null);
      }
    }
    List<CheckDefinition> checks = new ArrayList<>(table.checks());
    for (CheckDefinition check : table.checks()) {
      if (names(check.text(), name)) {
        checks.remove(check);
        comments = comments.with(Comments.Part.CONSTRAINT, check.name(), null);
      }
    }
    List<ForeignKeyDefinition> keys = new ArrayList<>(table.foreignKeys());
    for (ForeignKeyDefinition key : table.foreignKeys()) {
      if (contains(key.columns(), column)) {
        keys.remove(key);
        comments = comments.with(Comments.Part.CONSTRAINT, key.name(), null);
      }
    }
    return table
        .withIndexes(indexes)
        .withChecks(checks)
        .withForeignKeys(keys)
        .withComments(comments);
  }

  /**
   * Returns the text of a generated column that is computed from the column, or null if there is
   * none.
   */
  static String generated(TableDefinition definition, int column) {
    String name = definition.columns().get(column).name();
    for (GeneratedDefinition each : definition.generated()) {
      if (names(each.text(), name)) {
        String index = indexOn(definition, each.column());
        return index == null
            ? "generated column " + definition.columns().get(each.column()).name()
            : "index " + index;
      }
    }
    return null;
  }

  private static String indexOn(TableDefinition definition, int column) {
    for (IndexDefinition index : definition.indexes()) {
      if (definition.columns().get(column).hidden() && contains(index.schema().columns(), column)) {
        return index.schema().name();
      }
    }
    return null;
  }

  /** Renames the hidden columns of a table to the expressions from which they are computed. */
  static TableDefinition renamedHidden(TableDefinition table) {
    List<Column> columns = new ArrayList<>(table.columns());
    for (GeneratedDefinition each : table.generated()) {
      Column old = columns.get(each.column());
      if (old.hidden()) {
        columns.set(each.column(), new Column(each.text(), old.type(), null, false, true));
      }
    }
    return table.withColumns(columns);
  }

  /** Renames a column in the keys and conditions of indexes. */
  static List<IndexDefinition> renamedInIndexes(
      List<IndexDefinition> indexes, String from, String to) {
    return indexes.stream()
        .map(
            index ->
                new IndexDefinition(
                    index.schema(),
                    index.purpose(),
                    index.root(),
                    index.condition() == null ? null : renamed(index.condition(), from, to),
                    index.keys().stream().map(key -> renamed(key, from, to)).toList()))
        .toList();
  }

  /** Returns true if an expression refers to a column. */
  static boolean names(String expression, String column) {
    return !renamed(expression, column, "").equals(renamed(expression, "", ""));
  }

  /** Renames a column in the expressions of generated columns. */
  static List<GeneratedDefinition> renamedIn(
      List<GeneratedDefinition> generated, String from, String to) {
    return generated.stream()
        .map(each -> new GeneratedDefinition(each.column(), renamed(each.text(), from, to)))
        .toList();
  }

  /** Returns the text of a foreign key from or to the column, or null if there is none. */
  static String foreignKey(CatalogState state, TableEntry table, int column) {
    for (ForeignKeyDefinition key : table.definition().foreignKeys()) {
      if (contains(key.columns(), column)) {
        return "foreign key " + key.name();
      }
    }
    return reference(state, table, column);
  }

  /** Considers only foreign keys that are not dropped with the column. */
  private static String reference(CatalogState state, TableEntry table, int column) {
    for (TableEntry child : state.tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        boolean goesToo = child.id() == table.id() && contains(key.columns(), column);
        if (!goesToo
            && key.referencedTable() == table.id()
            && contains(key.referencedColumns(), column)) {
          return "foreign key " + key.name() + " of " + child;
        }
      }
    }
    return null;
  }

  private static boolean contains(int[] columns, int column) {
    return Arrays.stream(columns).anyMatch(each -> each == column);
  }

  /** Renames a column in check conditions. */
  static List<CheckDefinition> renamed(List<CheckDefinition> checks, String from, String to) {
    List<CheckDefinition> changed = new ArrayList<>();
    for (CheckDefinition check : checks) {
      changed.add(new CheckDefinition(check.name(), renamed(check.text(), from, to)));
    }
    return changed;
  }

  private static String renamed(String condition, String from, String to) {
    return DeepStack.call(() -> renamedHere(condition, from, to));
  }

  private static String renamedHere(String condition, String from, String to) {
    SqlNode changed =
        SqlParsing.parseExpression(condition)
            .accept(
                new SqlShuttle() {
                  @Override
                  public SqlNode visit(SqlIdentifier name) {
                    return name.isSimple() && name.getSimple().equals(from)
                        ? new SqlIdentifier(to, SqlParserPos.ZERO)
                        : name;
                  }
                });
    return StoredText.of(changed);
  }
}
