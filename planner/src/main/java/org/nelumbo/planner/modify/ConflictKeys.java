package org.nelumbo.planner.modify;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.parser.ast.InsertOnConflict;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.StoredText;
import org.nelumbo.planner.type.SqlErrors;

/** Finds the key that ON CONFLICT names, by its columns or by the constraint. */
public final class ConflictKeys {
  private ConflictKeys() {}

  /**
   * A key.
   *
   * @param any whether any key is meant
   * @param index null for the primary key
   */
  record Key(boolean any, IndexStore index) {}

  /**
   * The key that is named; 42P10 if there is none.
   *
   * @param columns null if none are named, or expressions
   */
  public static Key find(TableEntry table, int[] columns, InsertOnConflict insert) {
    if (insert.conflictColumns().isEmpty() && insert.constraint() == null) {
      return new Key(true, null);
    }
    TableDefinition definition = table.definition();
    String name = insert.constraint() == null ? null : insert.constraint().getSimple();
    boolean primary =
        name == null
            ? columns != null && areSame(columns, definition.primaryKey())
            : name.equals(definition.primaryKeyName());
    if (primary) {
      return new Key(false, null);
    }
    for (IndexStore index : table.store().indexes()) {
      boolean named =
          name == null
              ? isNamed(definition.index(index.schema().name()), columns, insert)
              : name.equals(index.schema().name());
      if (named && index.schema().unique()) {
        return new Key(false, index);
      }
    }
    throw SqlErrors.at(
        ErrorCode.NO_SUCH_KEY,
        name == null
            ? "ON CONFLICT ("
                + insert.conflictColumns().stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(", "))
                + ") names no primary key or unique columns of "
                + table.name()
            : "ON CONFLICT ON CONSTRAINT " + name + " names no key of " + table.name(),
        insert.getParserPosition());
  }

  /** Whether an index is on what ON CONFLICT names, and of the rows of its WHERE, or more. */
  private static boolean isNamed(IndexDefinition index, int[] columns, InsertOnConflict insert) {
    if (index.keys().isEmpty()) {
      return columns != null && areSame(columns, index.schema().columns());
    }
    Set<String> named = new HashSet<>();
    insert.conflictColumns().forEach(key -> named.add(StoredText.of(key)));
    return named.equals(Set.copyOf(index.keys()))
        && (index.condition() == null
            || (insert.conflictCondition() != null
                && StoredText.of(insert.conflictCondition()).equals(index.condition())));
  }

  private static boolean areSame(int[] columns, int[] others) {
    int[] sorted = columns.clone();
    int[] sortedOthers = others.clone();
    Arrays.sort(sorted);
    Arrays.sort(sortedOthers);
    return Arrays.equals(sorted, sortedOthers);
  }
}
