package org.nelumbo.jdbc.metadata;

import java.util.function.Predicate;
import java.util.stream.Stream;
import org.nelumbo.database.Database;
import org.nelumbo.planner.catalog.SequenceInfo;
import org.nelumbo.planner.catalog.TableInfo;

/**
 * Looks up schemas and tables for {@code DatabaseMetaData}, by pattern or by exact name. Each call
 * reads the catalogue as it is then. A database has no JDBC catalogs: a call that names one finds
 * nothing.
 */
final class CatalogSearch {
  private final Database database;

  CatalogSearch(Database database) {
    this.database = database;
  }

  /** Whether a JDBC catalog given by the caller excludes nothing. */
  static boolean matchesCatalog(String catalog) {
    return catalog == null || catalog.isEmpty();
  }

  /** Names of schemas that match a pattern. */
  Stream<String> schemas(String catalog, String schemaPattern) {
    return matchesCatalog(catalog)
        ? database.catalog().schemas().stream().filter(NamePattern.of(schemaPattern))
        : Stream.empty();
  }

  /** Tables whose names match patterns. */
  Stream<TableInfo> tables(String catalog, String schemaPattern, String namePattern) {
    if (!matchesCatalog(catalog)) {
      return Stream.empty();
    }
    Predicate<String> schema = NamePattern.of(schemaPattern);
    Predicate<String> name = NamePattern.of(namePattern);
    return database.catalog().tables().stream()
        .filter(table -> schema.test(table.schema()) && name.test(table.name()));
  }

  /** Sequences whose names match patterns. */
  Stream<SequenceInfo> sequences(String catalog, String schemaPattern, String namePattern) {
    if (!matchesCatalog(catalog)) {
      return Stream.empty();
    }
    Predicate<String> schema = NamePattern.of(schemaPattern);
    Predicate<String> name = NamePattern.of(namePattern);
    return database.catalog().sequences().stream()
        .filter(sequence -> schema.test(sequence.schema()) && name.test(sequence.name()));
  }

  /** Tables by exact name, in one schema or, if {@code schema} is null, in all. */
  Stream<TableInfo> exactTables(String catalog, String schema, String name) {
    return tables(catalog, null, null)
        .filter(table -> schema == null || table.schema().equals(schema))
        .filter(table -> table.name().equals(name));
  }
}
