package org.nelumbo.jdbc.metadata;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.RowIdLifetime;
import java.sql.SQLException;
import org.nelumbo.jdbc.statement.AbstractStatement;
import org.nelumbo.jdbc.value.AbstractWrapper;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.parser.dialect.Identifiers;

/**
 * Stateless base class with the methods of {@link DatabaseMetaData} whose results are equal for
 * every database: supported features, fixed properties, limits, and empty results about objects
 * that do not exist here, such as procedures.
 */
abstract class StaticMetadata extends AbstractWrapper implements DatabaseMetaData {

  private static final int JDBC_MAJOR = 4;
  private static final int JDBC_MINOR = 3;
  private static final String ROUTINE_COLUMN_END =
      " DATA_TYPE# TYPE_NAME PRECISION# LENGTH# SCALE% RADIX% NULLABLE% REMARKS";
  private static final String PRIVILEGE_END = " GRANTOR GRANTEE PRIVILEGE IS_GRANTABLE";

  // Product, driver and names.

  @Override
  public String getDatabaseProductName() {
    return "Nelumbo";
  }

  @Override
  public String getDatabaseProductVersion() {
    return DriverVersion.TEXT;
  }

  @Override
  public int getDatabaseMajorVersion() {
    return DriverVersion.MAJOR;
  }

  @Override
  public int getDatabaseMinorVersion() {
    return DriverVersion.MINOR;
  }

  @Override
  public String getDriverName() {
    return "Nelumbo JDBC driver";
  }

  @Override
  public String getDriverVersion() {
    return DriverVersion.TEXT;
  }

  @Override
  public int getDriverMajorVersion() {
    return DriverVersion.MAJOR;
  }

  @Override
  public int getDriverMinorVersion() {
    return DriverVersion.MINOR;
  }

  @Override
  public int getJDBCMajorVersion() {
    return JDBC_MAJOR;
  }

  @Override
  public int getJDBCMinorVersion() {
    return JDBC_MINOR;
  }

  @Override
  public int getSQLStateType() {
    return sqlStateSQL;
  }

  @Override
  public RowIdLifetime getRowIdLifetime() {
    return RowIdLifetime.ROWID_UNSUPPORTED;
  }

  @Override
  public String getIdentifierQuoteString() {
    return "\"";
  }

  @Override
  public String getSQLKeywords() {
    return String.join(",", Identifiers.reserved());
  }

  @Override
  public String getNumericFunctions() {
    return "ABS,ACOS,ASIN,ATAN,ATAN2,CEILING,COS,COT,DEGREES,EXP,FLOOR,LOG,LOG10,MOD,PI,POWER,"
        + "RADIANS,ROUND,SIGN,SIN,SQRT,TAN,TRUNCATE";
  }

  @Override
  public String getStringFunctions() {
    return "CONCAT,LCASE,LENGTH,LTRIM,REPLACE,RTRIM,SUBSTRING,UCASE";
  }

  @Override
  public String getSystemFunctions() {
    return "USER";
  }

  @Override
  public String getTimeDateFunctions() {
    return "CURDATE,CURTIME,NOW";
  }

  @Override
  public String getSearchStringEscape() {
    return NamePattern.ESCAPE;
  }

  @Override
  public String getExtraNameCharacters() {
    return "$";
  }

  @Override
  public String getSchemaTerm() {
    return "schema";
  }

  @Override
  public String getProcedureTerm() {
    return "procedure";
  }

  @Override
  public String getCatalogTerm() {
    return "catalog";
  }

  @Override
  public String getCatalogSeparator() {
    return ".";
  }

  // Supported features.

  @Override
  public boolean supportsMixedCaseIdentifiers() {
    return false;
  }

  @Override
  public boolean supportsMixedCaseQuotedIdentifiers() {
    return true;
  }

  @Override
  public boolean supportsAlterTableWithAddColumn() {
    return true;
  }

  @Override
  public boolean supportsAlterTableWithDropColumn() {
    return true;
  }

  @Override
  public boolean supportsColumnAliasing() {
    return true;
  }

  @Override
  public boolean supportsConvert() {
    return false;
  }

  @Override
  public boolean supportsTableCorrelationNames() {
    return true;
  }

  @Override
  public boolean supportsDifferentTableCorrelationNames() {
    return false;
  }

  @Override
  public boolean supportsExpressionsInOrderBy() {
    return true;
  }

  @Override
  public boolean supportsOrderByUnrelated() {
    return true;
  }

  @Override
  public boolean supportsGroupBy() {
    return true;
  }

  @Override
  public boolean supportsGroupByUnrelated() {
    return true;
  }

  @Override
  public boolean supportsGroupByBeyondSelect() {
    return true;
  }

  @Override
  public boolean supportsLikeEscapeClause() {
    return true;
  }

  @Override
  public boolean supportsMultipleResultSets() {
    return false;
  }

  @Override
  public boolean supportsMultipleTransactions() {
    return true;
  }

  @Override
  public boolean supportsNonNullableColumns() {
    return true;
  }

  @Override
  public boolean supportsMinimumSQLGrammar() {
    return true;
  }

  @Override
  public boolean supportsCoreSQLGrammar() {
    return true;
  }

  @Override
  public boolean supportsExtendedSQLGrammar() {
    return false;
  }

  @Override
  public boolean supportsANSI92EntryLevelSQL() {
    return true;
  }

  @Override
  public boolean supportsANSI92IntermediateSQL() {
    return false;
  }

  @Override
  public boolean supportsANSI92FullSQL() {
    return false;
  }

  @Override
  public boolean supportsIntegrityEnhancementFacility() {
    return false;
  }

  @Override
  public boolean supportsOuterJoins() {
    return true;
  }

  @Override
  public boolean supportsFullOuterJoins() {
    return true;
  }

  @Override
  public boolean supportsLimitedOuterJoins() {
    return true;
  }

  @Override
  public boolean supportsSchemasInDataManipulation() {
    return true;
  }

  @Override
  public boolean supportsSchemasInProcedureCalls() {
    return false;
  }

  @Override
  public boolean supportsSchemasInTableDefinitions() {
    return true;
  }

  @Override
  public boolean supportsSchemasInIndexDefinitions() {
    return true;
  }

  @Override
  public boolean supportsSchemasInPrivilegeDefinitions() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInDataManipulation() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInProcedureCalls() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInTableDefinitions() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInIndexDefinitions() {
    return false;
  }

  @Override
  public boolean supportsCatalogsInPrivilegeDefinitions() {
    return false;
  }

  @Override
  public boolean supportsPositionedDelete() {
    return false;
  }

  @Override
  public boolean supportsPositionedUpdate() {
    return false;
  }

  @Override
  public boolean supportsSelectForUpdate() {
    return true;
  }

  @Override
  public boolean supportsStoredProcedures() {
    return false;
  }

  @Override
  public boolean supportsSubqueriesInComparisons() {
    return true;
  }

  @Override
  public boolean supportsSubqueriesInExists() {
    return true;
  }

  @Override
  public boolean supportsSubqueriesInIns() {
    return true;
  }

  @Override
  public boolean supportsSubqueriesInQuantifieds() {
    return true;
  }

  @Override
  public boolean supportsCorrelatedSubqueries() {
    return true;
  }

  @Override
  public boolean supportsUnion() {
    return true;
  }

  @Override
  public boolean supportsUnionAll() {
    return true;
  }

  @Override
  public boolean supportsOpenCursorsAcrossCommit() {
    return false;
  }

  @Override
  public boolean supportsOpenCursorsAcrossRollback() {
    return false;
  }

  @Override
  public boolean supportsOpenStatementsAcrossCommit() {
    return true;
  }

  @Override
  public boolean supportsOpenStatementsAcrossRollback() {
    return true;
  }

  @Override
  public boolean supportsTransactions() {
    return true;
  }

  @Override
  public boolean supportsDataDefinitionAndDataManipulationTransactions() {
    return false;
  }

  @Override
  public boolean supportsDataManipulationTransactionsOnly() {
    return false;
  }

  @Override
  public boolean supportsBatchUpdates() {
    return true;
  }

  @Override
  public boolean supportsSavepoints() {
    return true;
  }

  @Override
  public boolean supportsNamedParameters() {
    return false;
  }

  @Override
  public boolean supportsMultipleOpenResults() {
    return false;
  }

  @Override
  public boolean supportsGetGeneratedKeys() {
    return true;
  }

  @Override
  public boolean supportsStatementPooling() {
    return false;
  }

  @Override
  public boolean supportsStoredFunctionsUsingCallSyntax() {
    return true;
  }

  @Override
  public boolean supportsConvert(int fromType, int toType) {
    return false;
  }

  /** Returns true for all four levels; the weaker ones mean snapshot isolation. */
  @Override
  public boolean supportsTransactionIsolationLevel(int level) {
    return switch (level) {
      case Connection.TRANSACTION_READ_UNCOMMITTED,
          Connection.TRANSACTION_READ_COMMITTED,
          Connection.TRANSACTION_REPEATABLE_READ,
          Connection.TRANSACTION_SERIALIZABLE ->
          true;
      default -> false;
    };
  }

  @Override
  public boolean supportsResultSetType(int type) {
    return type == ResultSet.TYPE_FORWARD_ONLY || type == ResultSet.TYPE_SCROLL_INSENSITIVE;
  }

  @Override
  public boolean supportsResultSetConcurrency(int type, int concurrency) {
    return supportsResultSetType(type)
        && (concurrency == ResultSet.CONCUR_READ_ONLY || concurrency == ResultSet.CONCUR_UPDATABLE);
  }

  @Override
  public boolean supportsResultSetHoldability(int holdability) {
    return holdability == ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public int getResultSetHoldability() {
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  // Fixed properties.

  @Override
  public boolean allProceduresAreCallable() {
    return false;
  }

  @Override
  public boolean allTablesAreSelectable() {
    return true;
  }

  @Override
  public boolean nullsAreSortedHigh() {
    return false;
  }

  @Override
  public boolean nullsAreSortedLow() {
    return true;
  }

  @Override
  public boolean nullsAreSortedAtStart() {
    return false;
  }

  @Override
  public boolean nullsAreSortedAtEnd() {
    return false;
  }

  @Override
  public boolean usesLocalFiles() {
    return false;
  }

  @Override
  public boolean usesLocalFilePerTable() {
    return false;
  }

  @Override
  public boolean storesUpperCaseIdentifiers() {
    return true;
  }

  @Override
  public boolean storesLowerCaseIdentifiers() {
    return false;
  }

  @Override
  public boolean storesMixedCaseIdentifiers() {
    return false;
  }

  @Override
  public boolean storesUpperCaseQuotedIdentifiers() {
    return false;
  }

  @Override
  public boolean storesLowerCaseQuotedIdentifiers() {
    return false;
  }

  @Override
  public boolean storesMixedCaseQuotedIdentifiers() {
    return true;
  }

  @Override
  public boolean nullPlusNonNullIsNull() {
    return true;
  }

  @Override
  public boolean isCatalogAtStart() {
    return false;
  }

  @Override
  public boolean doesMaxRowSizeIncludeBlobs() {
    return false;
  }

  @Override
  public boolean dataDefinitionCausesTransactionCommit() {
    return true;
  }

  @Override
  public boolean dataDefinitionIgnoredInTransactions() {
    return false;
  }

  @Override
  public boolean locatorsUpdateCopy() {
    return true;
  }

  @Override
  public boolean autoCommitFailureClosesAllResultSets() {
    return false;
  }

  @Override
  public boolean generatedKeyAlwaysReturned() {
    return true;
  }

  // Limits; 0 means no limit or an unknown one.

  @Override
  public int getMaxBinaryLiteralLength() {
    return 0;
  }

  @Override
  public int getMaxCharLiteralLength() {
    return 0;
  }

  @Override
  public int getMaxColumnNameLength() {
    return AbstractStatement.MAX_NAME_LENGTH;
  }

  @Override
  public int getMaxColumnsInGroupBy() {
    return 0;
  }

  @Override
  public int getMaxColumnsInIndex() {
    return 0;
  }

  @Override
  public int getMaxColumnsInOrderBy() {
    return 0;
  }

  @Override
  public int getMaxColumnsInSelect() {
    return 0;
  }

  @Override
  public int getMaxColumnsInTable() {
    return 0;
  }

  @Override
  public int getMaxConnections() {
    return 0;
  }

  @Override
  public int getMaxCursorNameLength() {
    return 0;
  }

  @Override
  public int getMaxIndexLength() {
    return 0;
  }

  @Override
  public int getMaxSchemaNameLength() {
    return AbstractStatement.MAX_NAME_LENGTH;
  }

  @Override
  public int getMaxProcedureNameLength() {
    return 0;
  }

  @Override
  public int getMaxCatalogNameLength() {
    return 0;
  }

  @Override
  public int getMaxRowSize() {
    return 0;
  }

  @Override
  public int getMaxStatementLength() {
    return 0;
  }

  @Override
  public int getMaxStatements() {
    return 0;
  }

  @Override
  public int getMaxTableNameLength() {
    return AbstractStatement.MAX_NAME_LENGTH;
  }

  @Override
  public int getMaxTablesInSelect() {
    return 0;
  }

  @Override
  public int getMaxUserNameLength() {
    return 0;
  }

  // Visibility of changes in open results: only changes made through the result, which is a copy.

  @Override
  public boolean ownUpdatesAreVisible(int type) {
    return supportsResultSetType(type);
  }

  @Override
  public boolean ownDeletesAreVisible(int type) {
    return supportsResultSetType(type);
  }

  @Override
  public boolean ownInsertsAreVisible(int type) {
    return supportsResultSetType(type);
  }

  @Override
  public boolean othersUpdatesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean othersDeletesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean othersInsertsAreVisible(int type) {
    return false;
  }

  @Override
  public boolean updatesAreDetected(int type) {
    return false;
  }

  @Override
  public boolean deletesAreDetected(int type) {
    return false;
  }

  @Override
  public boolean insertsAreDetected(int type) {
    return false;
  }

  // Results that are equal for every database; they are empty for objects that do not exist.

  @Override
  public ResultSet getTypeInfo() throws SQLException {
    return TypeMetadata.typeInfo();
  }

  @Override
  public ResultSet getClientInfoProperties() throws SQLException {
    try {
      MetadataResultBuilder rows =
          MetadataResultBuilder.of("NAME MAX_LEN# DEFAULT_VALUE DESCRIPTION");
      ClientInfo.NAMES.forEach(name -> rows.add(name, Integer.MAX_VALUE, "", "stored, not used"));
      return rows.build();
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public ResultSet getProcedures(String catalog, String schema, String name) throws SQLException {
    return MetadataResultBuilder.empty(
        "PROCEDURE_CAT PROCEDURE_SCHEM PROCEDURE_NAME RESERVED1 RESERVED2 RESERVED3 REMARKS"
            + " PROCEDURE_TYPE% SPECIFIC_NAME");
  }

  @Override
  public ResultSet getProcedureColumns(String catalog, String schema, String name, String column)
      throws SQLException {
    return MetadataResultBuilder.empty(
        "PROCEDURE_CAT PROCEDURE_SCHEM PROCEDURE_NAME COLUMN_NAME COLUMN_TYPE%"
            + ROUTINE_COLUMN_END
            + " COLUMN_DEF SQL_DATA_TYPE# SQL_DATETIME_SUB# CHAR_OCTET_LENGTH# ORDINAL_POSITION#"
            + " IS_NULLABLE SPECIFIC_NAME");
  }

  @Override
  public ResultSet getFunctions(String catalog, String schema, String name) throws SQLException {
    return MetadataResultBuilder.empty(
        "FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME REMARKS FUNCTION_TYPE% SPECIFIC_NAME");
  }

  @Override
  public ResultSet getFunctionColumns(String catalog, String schema, String name, String column)
      throws SQLException {
    return MetadataResultBuilder.empty(
        "FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME COLUMN_NAME COLUMN_TYPE%"
            + ROUTINE_COLUMN_END
            + " CHAR_OCTET_LENGTH# ORDINAL_POSITION# IS_NULLABLE SPECIFIC_NAME");
  }

  @Override
  public ResultSet getColumnPrivileges(String catalog, String schema, String table, String column)
      throws SQLException {
    return MetadataResultBuilder.empty(
        "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME" + PRIVILEGE_END);
  }

  @Override
  public ResultSet getTablePrivileges(String catalog, String schema, String table)
      throws SQLException {
    return MetadataResultBuilder.empty("TABLE_CAT TABLE_SCHEM TABLE_NAME" + PRIVILEGE_END);
  }

  @Override
  public ResultSet getVersionColumns(String catalog, String schema, String table)
      throws SQLException {
    return MetadataResultBuilder.empty(
        "SCOPE% COLUMN_NAME DATA_TYPE# TYPE_NAME COLUMN_SIZE# BUFFER_LENGTH# DECIMAL_DIGITS%"
            + " PSEUDO_COLUMN%");
  }

  @Override
  public ResultSet getUDTs(String catalog, String schema, String name, int[] types)
      throws SQLException {
    return MetadataResultBuilder.empty(
        "TYPE_CAT TYPE_SCHEM TYPE_NAME CLASS_NAME DATA_TYPE# REMARKS BASE_TYPE%");
  }

  @Override
  public ResultSet getSuperTypes(String catalog, String schema, String name) throws SQLException {
    return MetadataResultBuilder.empty(
        "TYPE_CAT TYPE_SCHEM TYPE_NAME SUPERTYPE_CAT SUPERTYPE_SCHEM SUPERTYPE_NAME");
  }

  @Override
  public ResultSet getSuperTables(String catalog, String schema, String name) throws SQLException {
    return MetadataResultBuilder.empty("TABLE_CAT TABLE_SCHEM TABLE_NAME SUPERTABLE_NAME");
  }

  @Override
  public ResultSet getAttributes(String catalog, String schema, String type, String attribute)
      throws SQLException {
    return MetadataResultBuilder.empty(
        "TYPE_CAT TYPE_SCHEM TYPE_NAME ATTR_NAME DATA_TYPE# ATTR_TYPE_NAME ATTR_SIZE#"
            + " DECIMAL_DIGITS# NUM_PREC_RADIX# NULLABLE# REMARKS ATTR_DEF SQL_DATA_TYPE#"
            + " SQL_DATETIME_SUB# CHAR_OCTET_LENGTH# ORDINAL_POSITION# IS_NULLABLE SCOPE_CATALOG"
            + " SCOPE_SCHEMA SCOPE_TABLE SOURCE_DATA_TYPE%");
  }

  @Override
  public ResultSet getPseudoColumns(String catalog, String schema, String table, String column)
      throws SQLException {
    return MetadataResultBuilder.empty(
        "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME DATA_TYPE# COLUMN_SIZE# DECIMAL_DIGITS#"
            + " NUM_PREC_RADIX# COLUMN_USAGE REMARKS CHAR_OCTET_LENGTH# IS_NULLABLE");
  }

  @Override
  public ResultSet getCatalogs() throws SQLException {
    return MetadataResultBuilder.empty("TABLE_CAT");
  }
}
