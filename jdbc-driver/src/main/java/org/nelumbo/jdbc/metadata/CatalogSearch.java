package org.nelumbo.jdbc.metadata;

import java.util.function.Predicate;
import java.util.stream.Stream;
import org.nelumbo.database.Database;
import org.nelumbo.planner.catalog.SequenceInfo;
import org.nelumbo.planner.catalog.TableInfo;

/**
 * Finds schemas and tables for {@code DatabaseMetaData}, by pattern or by exact name. Each call
 * reads the current catalog. A database has no JDBC catalogs: a call that names one finds nothing.
 */
final class CatalogSearch {
  private final Database database;

  CatalogSearch(Database database) {
    this.database = database;
  }

  /**
   * Returns true if the JDBC catalog argument of a caller is null or empty, so that it excludes
   * nothing.
   */
  static boolean matchesCatalog(String catalog) {
    return catalog == null || catalog.isEmpty();
  }

  /** Returns the names of schemas that match a pattern. */
  Stream<String> schemas(String catalog, String schemaPattern) {
    return matchesCatalog(catalog)
        ? database.catalog().schemas().stream().filter(NamePattern.of(schemaPattern))
        : Stream.empty();
  }

  /** Returns the tables whose names match the patterns. */
  Stream<TableInfo> tables(String catalog, String schemaPattern, String namePattern) {
    if (!matchesCatalog(catalog)) {
      return Stream.empty();
    }
    Predicate<String> schema = NamePattern.of(schemaPattern);
    Predicate<String> name = NamePattern.of(namePattern);
    return database.catalog().tables().stream()
        .filter(table -> schema.test(table.schema()) && name.test(table.name()));
  }

  /** Returns the sequences whose names match the patterns. */
  Stream<SequenceInfo> sequences(String catalog, String schemaPattern, String namePattern) {
    if (!matchesCatalog(catalog)) {
      return Stream.empty();
    }
    Predicate<String> schema = NamePattern.of(schemaPattern);
    Predicate<String> name = NamePattern.of(namePattern);
    return database.catalog().sequences().stream()
        .filter(sequence -> schema.test(sequence.schema()) && name.test(sequence.name()));
  }

  /**
   * Returns the tables with exactly this name, in one schema or, if {@code schema} is null, in all.
   */
  Stream<TableInfo> exactTables(String catalog, String schema, String name) {
    return tables(catalog, null, null)
        .filter(table -> schema == null || table.schema().equals(schema))
        .filter(table -> table.name().equals(name));
  }
}
