package org.nelumbo.database.ddl;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.parser.ast.ForeignKeyConstraint;
import org.nelumbo.parser.ast.ReferentialAction;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.types.ColumnType;

/** Resolves the referenced table and columns of a FOREIGN KEY, and checks their validity. */
final class ForeignKeys {
  private final CatalogState state;
  private final String schema;

  private final boolean isTemporary;

  ForeignKeys(CatalogState state, String schema, String ownSchema) {
    this.isTemporary = TemporarySchema.isTemporary(ownSchema);
    this.state = state;
    this.schema = schema;
  }

  /**
   * Returns the definition of a foreign key.
   *
   * @param self the referencing table if it may refer to itself, else null
   */
  ForeignKeyDefinition resolve(
      ForeignKeyConstraint key,
      String name,
      int[] columns,
      List<Column> all,
      TableDefinition self) {
    TableDefinition parent =
        self != null ? self : ObjectNames.table(state, key.referencedTable(), schema).definition();
    if (TemporarySchema.isTemporary(parent.schema()) != isTemporary) {
      throw bad(
          key, "only temporary tables can refer to temporary tables, which belong to one session");
    }
    int[] referenced = referenced(key, parent);
    if (referenced.length != columns.length) {
      throw bad(
          key, "foreign key has " + columns.length + " columns but refers to " + referenced.length);
    }
    for (int i = 0; i < columns.length; i++) {
      ColumnType from = all.get(columns[i]).type();
      ColumnType to = parent.columns().get(referenced[i]).type();
      if (!comparable(from, to)) {
        throw bad(
            key,
            "column "
                + all.get(columns[i]).name()
                + " of type "
                + from.sqlName()
                + " cannot refer to "
                + to.sqlName());
      }
    }
    return new ForeignKeyDefinition(
        name, columns, parent.id(), referenced, action(key.onDelete()), action(key.onUpdate()));
  }

  private static boolean comparable(ColumnType a, ColumnType b) {
    boolean exact = !a.kind().isFloating() && !b.kind().isFloating();
    return a.kind().isNumeric() && b.kind().isNumeric() && exact || a.kind() == b.kind() && exact;
  }

  private static int[] referenced(ForeignKeyConstraint key, TableDefinition parent) {
    if (key.referencedColumns() == null || key.referencedColumns().isEmpty()) {
      if (parent.hiddenColumn() >= 0) {
        throw bad(key, "table " + parent.name() + " has no primary key to refer to");
      }
      return parent.primaryKey();
    }
    int[] ordinals = new int[key.referencedColumns().size()];
    for (int i = 0; i < ordinals.length; i++) {
      SqlNode node = key.referencedColumns().get(i);
      String name = ObjectNames.simple((SqlIdentifier) node);
      ordinals[i] =
          IntStream.range(0, parent.visibleColumns())
              .filter(c -> parent.columns().get(c).name().equals(name))
              .findFirst()
              .orElseThrow(() -> ObjectNames.noColumn((SqlIdentifier) node, parent.name()));
    }
    boolean unique = parent.hiddenColumn() < 0 && sameSet(ordinals, parent.primaryKey());
    for (IndexDefinition index : parent.indexes()) {
      unique |= index.schema().unique() && sameSet(ordinals, index.schema().columns());
    }
    if (!unique) {
      throw bad(
          key,
          "the referenced columns of "
              + parent.name()
              + " are neither its primary key nor unique; add a UNIQUE constraint there");
    }
    return ordinals;
  }

  /**
   * Returns true if an existing index finds rows by the columns of a foreign key. The key is
   * searched when a referenced row is deleted.
   */
  static boolean isIndexed(TableDefinition table, int[] columns) {
    int[] primary = table.primaryKey();
    boolean byPrimary = table.ordered() ? startsWith(primary, columns) : sameSet(primary, columns);
    return byPrimary || table.indexes().stream().anyMatch(index -> isServedBy(columns, index));
  }

  /** Returns true if an index covers all rows, and begins with these columns in any order. */
  static boolean isServedBy(int[] columns, IndexDefinition index) {
    return index.condition() == null && startsWith(index.schema().columns(), columns);
  }

  private static boolean startsWith(int[] key, int[] columns) {
    return key.length >= columns.length && sameSet(Arrays.copyOf(key, columns.length), columns);
  }

  /**
   * Returns a new index on the columns of a foreign key. Its keys are shortened if they are too
   * long, because an index that the user has not requested must not reject rows.
   */
  static IndexDefinition indexOf(ForeignKeyDefinition key, int id, String name) {
    return IndexDefinition.ofForeignKey(
        IndexSchema.ascending(id, name, false, key.columns()).shortened());
  }

  /** Returns a free name for the index of a foreign key. */
  static String freeIndexName(ForeignKeyDefinition key, Predicate<String> isTaken) {
    return ObjectNames.free(key.name() + "_IDX", 0, isTaken);
  }

  private static boolean sameSet(int[] a, int[] b) {
    Set<Integer> left = Arrays.stream(a).boxed().collect(Collectors.toSet());
    Set<Integer> right = Arrays.stream(b).boxed().collect(Collectors.toSet());
    return left.equals(right);
  }

  private static NelumboException bad(ForeignKeyConstraint key, String message) {
    return SqlErrors.at(ErrorCode.INVALID_STATEMENT, message, key.getParserPosition());
  }

  private static ReferentialAction action(ReferentialAction written) {
    return written == null ? ReferentialAction.NO_ACTION : written;
  }
}
