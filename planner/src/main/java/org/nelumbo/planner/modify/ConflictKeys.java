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

/** Finds the key of ON CONFLICT, given by its columns or by a constraint. */
public final class ConflictKeys {
  private ConflictKeys() {}

  /**
   * A conflict key.
   *
   * @param any whether conflicts on all keys count
   * @param index the unique index; null for the primary key
   */
  record Key(boolean any, IndexStore index) {}

  /**
   * Returns the key of ON CONFLICT, or throws 42P10 if it does not exist.
   *
   * @param columns ordinals of the columns; null if there are none, or expressions
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

  /**
   * Returns true if an index has the keys of ON CONFLICT and contains at least the rows of its
   * WHERE.
   */
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
