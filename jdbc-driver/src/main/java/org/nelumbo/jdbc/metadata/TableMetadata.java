package org.nelumbo.jdbc.metadata;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.nelumbo.jdbc.value.JdbcTypes;
import org.nelumbo.planner.catalog.ColumnInfo;
import org.nelumbo.planner.catalog.IndexInfo;
import org.nelumbo.planner.catalog.TableInfo;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Metadata results about schemas, tables, columns and indexes. Methods have the parameters of the
 * methods of {@link DatabaseMetaData} with the same names.
 */
final class TableMetadata {
  private static final String TABLE = "TABLE";
  private static final String VIEW = "VIEW";
  private static final String SYSTEM_VIEW = "SYSTEM VIEW";

  /** Type of sequences; they are listed only on request, as in PostgreSQL's driver. */
  private static final String SEQUENCE = "SEQUENCE";

  private final CatalogSearch catalog;

  TableMetadata(CatalogSearch catalog) {
    this.catalog = catalog;
  }

  ResultSet tables(String catalogName, String schemaPattern, String namePattern, String[] types)
      throws SQLException {
    MetadataResultBuilder rows =
        MetadataResultBuilder.of(
            "TABLE_CAT TABLE_SCHEM TABLE_NAME TABLE_TYPE REMARKS TYPE_CAT TYPE_SCHEM TYPE_NAME"
                + " SELF_REFERENCING_COL_NAME REF_GENERATION");
    List<String> wanted = types == null ? List.of(TABLE, VIEW, SYSTEM_VIEW) : Arrays.asList(types);
    catalog
        .tables(catalogName, schemaPattern, namePattern)
        .filter(table -> wanted.contains(table.type()))
        .forEach(
            table ->
                rows.add(null, table.schema(), table.name(), table.type(), text(table.remarks())));
    if (wanted.contains(SEQUENCE)) {
      catalog
          .sequences(catalogName, schemaPattern, namePattern)
          .forEach(
              each ->
                  rows.add(
                      null,
                      each.schema(),
                      each.name(),
                      SEQUENCE,
                      each.remarks() == null
                          ? "INCREMENT BY " + each.increment()
                          : each.remarks()));
    }
    return rows.sort(3, 1, 2).build();
  }

  ResultSet tableTypes() throws SQLException {
    return MetadataResultBuilder.of("TABLE_TYPE")
        .add(SEQUENCE)
        .add(SYSTEM_VIEW)
        .add(TABLE)
        .add(VIEW)
        .build();
  }

  ResultSet schemas(String catalogName, String schemaPattern) throws SQLException {
    MetadataResultBuilder rows = MetadataResultBuilder.of("TABLE_SCHEM TABLE_CATALOG");
    catalog.schemas(catalogName, schemaPattern).forEach(schema -> rows.add(schema, null));
    return rows.sort(0).build();
  }

  ResultSet columns(
      String catalogName, String schemaPattern, String tablePattern, String columnPattern)
      throws SQLException {
    MetadataResultBuilder rows =
        MetadataResultBuilder.of(
            "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME DATA_TYPE# TYPE_NAME COLUMN_SIZE#"
                + " BUFFER_LENGTH# DECIMAL_DIGITS# NUM_PREC_RADIX# NULLABLE# REMARKS COLUMN_DEF"
                + " SQL_DATA_TYPE# SQL_DATETIME_SUB# CHAR_OCTET_LENGTH# ORDINAL_POSITION#"
                + " IS_NULLABLE SCOPE_CATALOG SCOPE_SCHEMA SCOPE_TABLE SOURCE_DATA_TYPE%"
                + " IS_AUTOINCREMENT IS_GENERATEDCOLUMN");
    Predicate<String> wanted = NamePattern.of(columnPattern);
    catalog
        .tables(catalogName, schemaPattern, tablePattern)
        .forEach(
            table ->
                table.columns().stream()
                    .filter(column -> wanted.test(column.name()))
                    .forEach(column -> addColumn(rows, table, column)));
    return rows.sort(1, 2, 16).build();
  }

  private static String text(String remarks) {
    return remarks == null ? "" : remarks;
  }

  private static void addColumn(MetadataResultBuilder rows, TableInfo table, ColumnInfo column) {
    ColumnType type = column.type();
    boolean isText = type.kind().isCharacter() || type.kind().isBinary();
    rows.add(
        null,
        table.schema(),
        table.name(),
        column.name(),
        JdbcTypes.code(type),
        JdbcTypes.name(type),
        JdbcTypes.precision(type),
        null,
        decimals(type),
        type.kind().isNumeric() ? (Object) 10 : null,
        type.nullable() ? DatabaseMetaData.columnNullable : DatabaseMetaData.columnNoNulls,
        text(column.remarks()),
        column.generation() == null ? column.defaultText() : column.generation(),
        null,
        null,
        isText ? (Object) type.precision() : null,
        column.ordinal(),
        type.nullable() ? "YES" : "NO",
        null,
        null,
        null,
        null,
        column.identity() ? "YES" : "NO",
        column.generation() == null ? "NO" : "YES");
  }

  private static Object decimals(ColumnType type) {
    boolean has =
        type.kind() == Kind.DECIMAL || type.kind().isInteger() || type.kind().isDatetime();
    return has ? (Object) JdbcTypes.scale(type) : null;
  }

  ResultSet bestRowIdentifier(String catalogName, String schema, String table) throws SQLException {
    MetadataResultBuilder rows =
        MetadataResultBuilder.of(
            "SCOPE% COLUMN_NAME DATA_TYPE# TYPE_NAME COLUMN_SIZE# BUFFER_LENGTH# DECIMAL_DIGITS%"
                + " PSEUDO_COLUMN%");
    catalog
        .exactTables(catalogName, schema, table)
        .forEach(
            found ->
                found.columns().stream()
                    .filter(column -> found.primaryKey().contains(column.name()))
                    .forEach(column -> addIdentifier(rows, column)));
    return rows.build();
  }

  private static void addIdentifier(MetadataResultBuilder rows, ColumnInfo column) {
    ColumnType type = column.type();
    rows.add(
        DatabaseMetaData.bestRowSession,
        column.name(),
        JdbcTypes.code(type),
        JdbcTypes.name(type),
        JdbcTypes.precision(type),
        null,
        decimals(type),
        DatabaseMetaData.bestRowNotPseudo);
  }

  ResultSet indexInfo(String catalogName, String schema, String table, boolean uniqueOnly)
      throws SQLException {
    MetadataResultBuilder rows =
        MetadataResultBuilder.of(
            "TABLE_CAT TABLE_SCHEM TABLE_NAME NON_UNIQUE? INDEX_QUALIFIER INDEX_NAME TYPE%"
                + " ORDINAL_POSITION% COLUMN_NAME ASC_OR_DESC CARDINALITY# PAGES#"
                + " FILTER_CONDITION");
    catalog
        .exactTables(catalogName, schema, table)
        .forEach(
            found ->
                found.indexes().stream()
                    .filter(index -> index.unique() || !uniqueOnly)
                    .forEach(index -> addIndex(rows, found, index)));
    return rows.sort(3, 6, 5, 7).build();
  }

  private static void addIndex(MetadataResultBuilder rows, TableInfo table, IndexInfo index) {
    int position = 1;
    for (IndexInfo.IndexColumn column : index.columns()) {
      rows.add(
          null,
          table.schema(),
          table.name(),
          !index.unique(),
          null,
          index.name(),
          (int) DatabaseMetaData.tableIndexOther,
          position++,
          column.name(),
          column.ascending() ? "A" : "D",
          index.unique() && table.rowEstimate() >= 0
              ? (Object) (int) Math.min(table.rowEstimate(), Integer.MAX_VALUE)
              : null,
          null,
          index.condition());
    }
  }
}
