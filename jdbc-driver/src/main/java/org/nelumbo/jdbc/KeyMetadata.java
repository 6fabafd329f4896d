package org.nelumbo.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.nelumbo.planner.catalog.CatalogReader;
import org.nelumbo.planner.catalog.ForeignKeyInfo;
import org.nelumbo.planner.catalog.TableInfo;

/**
 * Results that show primary and foreign keys. There are no catalogs, so that asking for one finds
 * nothing.
 */
abstract class KeyMetadata extends EmptyMetadata {
  private static final int PARENT_SCHEMA = 1;
  private static final int PARENT_TABLE = 2;
  private static final int CHILD_SCHEMA = 5;
  private static final int CHILD_TABLE = 6;
  private static final int SEQUENCE = 8;
  private static final int NAME = 11;

  abstract CatalogReader catalog();

  static boolean anyCatalog(String catalog) {
    return catalog == null || catalog.isEmpty();
  }

  /** Tables whose names match patterns. */
  final Stream<TableInfo> tables(String catalog, String schemaPattern, String namePattern) {
    if (!anyCatalog(catalog)) {
      return Stream.empty();
    }
    Predicate<String> schema = NamePattern.of(schemaPattern);
    Predicate<String> name = NamePattern.of(namePattern);
    return catalog().tables().stream()
        .filter(table -> schema.test(table.schema()) && name.test(table.name()));
  }

  /** Tables by exact name, in one schema or, if it is null, in all. */
  final Stream<TableInfo> exact(String catalog, String schema, String name) {
    return tables(catalog, null, null)
        .filter(table -> schema == null || table.schema().equals(schema))
        .filter(table -> table.name().equals(name));
  }

  @Override
  public ResultSet getPrimaryKeys(String catalog, String schema, String table) throws SQLException {
    MetadataRows rows =
        MetadataRows.of("TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME KEY_SEQ% PK_NAME");
    exact(catalog, schema, table)
        .forEach(
            found -> {
              int sequence = 1;
              for (String column : found.primaryKey()) {
                rows.add(
                    null, found.schema(), found.name(), column, sequence++, found.primaryKeyName());
              }
            });
    return rows.sort(3).open();
  }

  private static MetadataRows foreignKeyRows() {
    return MetadataRows.of(
        "PKTABLE_CAT PKTABLE_SCHEM PKTABLE_NAME PKCOLUMN_NAME FKTABLE_CAT FKTABLE_SCHEM"
            + " FKTABLE_NAME FKCOLUMN_NAME KEY_SEQ% UPDATE_RULE% DELETE_RULE% FK_NAME PK_NAME"
            + " DEFERRABILITY%");
  }

  private static void addKeys(
      MetadataRows rows, TableInfo child, Predicate<ForeignKeyInfo> wanted) {
    child.foreignKeys().stream().filter(wanted).forEach(key -> addKey(rows, child, key));
  }

  private static void addKey(MetadataRows rows, TableInfo child, ForeignKeyInfo key) {
    for (int i = 0; i < key.columns().size(); i++) {
      rows.add(
          null,
          key.referencedSchema(),
          key.referencedTable(),
          key.referencedColumns().get(i),
          null,
          child.schema(),
          child.name(),
          key.columns().get(i),
          i + 1,
          DatabaseMetaData.importedKeyNoAction,
          DatabaseMetaData.importedKeyNoAction,
          key.name(),
          key.referencedKey(),
          DatabaseMetaData.importedKeyNotDeferrable);
    }
  }

  private static Predicate<ForeignKeyInfo> refersTo(String catalog, String schema, String table) {
    return key ->
        anyCatalog(catalog)
            && (schema == null || key.referencedSchema().equals(schema))
            && key.referencedTable().equals(table);
  }

  @Override
  public ResultSet getImportedKeys(String catalog, String schema, String table)
      throws SQLException {
    MetadataRows rows = foreignKeyRows();
    exact(catalog, schema, table).forEach(child -> addKeys(rows, child, key -> true));
    return rows.sort(PARENT_SCHEMA, PARENT_TABLE, NAME, SEQUENCE).open();
  }

  @Override
  public ResultSet getExportedKeys(String catalog, String schema, String table)
      throws SQLException {
    MetadataRows rows = foreignKeyRows();
    tables(null, null, null)
        .forEach(child -> addKeys(rows, child, refersTo(catalog, schema, table)));
    return rows.sort(CHILD_SCHEMA, CHILD_TABLE, NAME, SEQUENCE).open();
  }

  @Override
  public ResultSet getCrossReference(
      String parentCatalog,
      String parentSchema,
      String parentTable,
      String foreignCatalog,
      String foreignSchema,
      String foreignTable)
      throws SQLException {
    MetadataRows rows = foreignKeyRows();
    exact(foreignCatalog, foreignSchema, foreignTable)
        .forEach(child -> addKeys(rows, child, refersTo(parentCatalog, parentSchema, parentTable)));
    return rows.sort(CHILD_SCHEMA, CHILD_TABLE, NAME, SEQUENCE).open();
  }
}
