package org.nelumbo.jdbc.metadata;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.jdbc.statement.ConnectionCore;
import org.nelumbo.jdbc.url.ConnectionUrl;

/**
 * The {@code DatabaseMetaData} of a connection. The base class returns static facts; {@link
 * TableMetadata} and {@link KeyMetadata} build results from the catalog.
 */
public final class NelumboDatabaseMetaData extends StaticMetadata {
  private final Connection connection;
  private final ConnectionCore core;
  private final ConnectionUrl url;
  private final TableMetadata tables;
  private final KeyMetadata keys;

  public NelumboDatabaseMetaData(Connection connection, ConnectionUrl url, ConnectionCore core) {
    this.connection = connection;
    this.url = url;
    this.core = core;
    CatalogSearch catalog = new CatalogSearch(core.database());
    tables = new TableMetadata(catalog);
    keys = new KeyMetadata(catalog);
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public String getURL() {
    return url.text();
  }

  @Override
  public String getUserName() {
    return url.user();
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    return connection.isReadOnly();
  }

  @Override
  public int getDefaultTransactionIsolation() {
    return url.defaultIsolation();
  }

  @Override
  public ResultSet getSchemas() throws SQLException {
    return core.guarded(() -> tables.schemas(null, null));
  }

  @Override
  public ResultSet getSchemas(String catalog, String schemaPattern) throws SQLException {
    return core.guarded(() -> tables.schemas(catalog, schemaPattern));
  }

  @Override
  public ResultSet getTableTypes() throws SQLException {
    return core.guarded(() -> tables.tableTypes());
  }

  @Override
  public ResultSet getTables(
      String catalog, String schemaPattern, String namePattern, String[] types)
      throws SQLException {
    return core.guarded(() -> tables.tables(catalog, schemaPattern, namePattern, types));
  }

  @Override
  public ResultSet getColumns(
      String catalog, String schemaPattern, String tablePattern, String columnPattern)
      throws SQLException {
    return core.guarded(() -> tables.columns(catalog, schemaPattern, tablePattern, columnPattern));
  }

  @Override
  public ResultSet getBestRowIdentifier(
      String catalog, String schema, String table, int scope, boolean nullable)
      throws SQLException {
    return core.guarded(() -> tables.bestRowIdentifier(catalog, schema, table));
  }

  @Override
  public ResultSet getIndexInfo(
      String catalog, String schema, String table, boolean uniqueOnly, boolean approximate)
      throws SQLException {
    return core.guarded(() -> tables.indexInfo(catalog, schema, table, uniqueOnly));
  }

  @Override
  public ResultSet getPrimaryKeys(String catalog, String schema, String table) throws SQLException {
    return core.guarded(() -> keys.primaryKeys(catalog, schema, table));
  }

  @Override
  public ResultSet getImportedKeys(String catalog, String schema, String table)
      throws SQLException {
    return core.guarded(() -> keys.importedKeys(catalog, schema, table));
  }

  @Override
  public ResultSet getExportedKeys(String catalog, String schema, String table)
      throws SQLException {
    return core.guarded(() -> keys.exportedKeys(catalog, schema, table));
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
    return core.guarded(
        () ->
            keys.crossReference(
                parentCatalog,
                parentSchema,
                parentTable,
                foreignCatalog,
                foreignSchema,
                foreignTable));
  }
}
