package org.nelumbo.jdbc.metadata;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Predicate;
import org.nelumbo.parser.ast.ReferentialAction;
import org.nelumbo.planner.catalog.ForeignKeyInfo;
import org.nelumbo.planner.catalog.TableInfo;

/**
 * Metadata results about primary and foreign keys. Methods have the parameters of the methods of
 * {@link DatabaseMetaData} with the same names.
 */
final class KeyMetadata {
  private static final int PARENT_SCHEMA = 1;
  private static final int PARENT_TABLE = 2;
  private static final int CHILD_SCHEMA = 5;
  private static final int CHILD_TABLE = 6;
  private static final int SEQUENCE = 8;
  private static final int NAME = 11;

  private final CatalogSearch catalog;

  KeyMetadata(CatalogSearch catalog) {
    this.catalog = catalog;
  }

  ResultSet primaryKeys(String catalogName, String schema, String table) throws SQLException {
    MetadataResultBuilder rows =
        MetadataResultBuilder.of("TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME KEY_SEQ% PK_NAME");
    catalog
        .exactTables(catalogName, schema, table)
        .forEach(
            found -> {
              int sequence = 1;
              for (String column : found.primaryKey()) {
                rows.add(
                    null, found.schema(), found.name(), column, sequence++, found.primaryKeyName());
              }
            });
    return rows.sort(3).build();
  }

  private static MetadataResultBuilder foreignKeyRows() {
    return MetadataResultBuilder.of(
        "PKTABLE_CAT PKTABLE_SCHEM PKTABLE_NAME PKCOLUMN_NAME FKTABLE_CAT FKTABLE_SCHEM"
            + " FKTABLE_NAME FKCOLUMN_NAME KEY_SEQ% UPDATE_RULE% DELETE_RULE% FK_NAME PK_NAME"
            + " DEFERRABILITY%");
  }

  private static void addKeys(
      MetadataResultBuilder rows, TableInfo child, Predicate<ForeignKeyInfo> wanted) {
    child.foreignKeys().stream().filter(wanted).forEach(key -> addKey(rows, child, key));
  }

  private static void addKey(MetadataResultBuilder rows, TableInfo child, ForeignKeyInfo key) {
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
          rule(key.onUpdate()),
          rule(key.onDelete()),
          key.name(),
          key.referencedKey(),
          DatabaseMetaData.importedKeyNotDeferrable);
    }
  }

  private static int rule(ReferentialAction action) {
    return switch (action) {
      case NO_ACTION -> DatabaseMetaData.importedKeyNoAction;
      case RESTRICT -> DatabaseMetaData.importedKeyRestrict;
      case CASCADE -> DatabaseMetaData.importedKeyCascade;
      case SET_NULL -> DatabaseMetaData.importedKeySetNull;
      case SET_DEFAULT -> DatabaseMetaData.importedKeySetDefault;
    };
  }

  private static Predicate<ForeignKeyInfo> refersTo(
      String catalogName, String schema, String table) {
    return key ->
        CatalogSearch.matchesCatalog(catalogName)
            && (schema == null || key.referencedSchema().equals(schema))
            && key.referencedTable().equals(table);
  }

  ResultSet importedKeys(String catalogName, String schema, String table) throws SQLException {
    MetadataResultBuilder rows = foreignKeyRows();
    catalog
        .exactTables(catalogName, schema, table)
        .forEach(child -> addKeys(rows, child, key -> true));
    return rows.sort(PARENT_SCHEMA, PARENT_TABLE, NAME, SEQUENCE).build();
  }

  ResultSet exportedKeys(String catalogName, String schema, String table) throws SQLException {
    MetadataResultBuilder rows = foreignKeyRows();
    catalog
        .tables(null, null, null)
        .forEach(child -> addKeys(rows, child, refersTo(catalogName, schema, table)));
    return rows.sort(CHILD_SCHEMA, CHILD_TABLE, NAME, SEQUENCE).build();
  }

  ResultSet crossReference(
      String parentCatalog,
      String parentSchema,
      String parentTable,
      String foreignCatalog,
      String foreignSchema,
      String foreignTable)
      throws SQLException {
    MetadataResultBuilder rows = foreignKeyRows();
    catalog
        .exactTables(foreignCatalog, foreignSchema, foreignTable)
        .forEach(child -> addKeys(rows, child, refersTo(parentCatalog, parentSchema, parentTable)));
    return rows.sort(CHILD_SCHEMA, CHILD_TABLE, NAME, SEQUENCE).build();
  }
}
