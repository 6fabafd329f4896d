package org.nelumbo.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.RowIdLifetime;
import java.sql.SQLException;
import org.nelumbo.planner.catalog.CatalogReader;
import org.nelumbo.sql.Identifiers;

/** Describes the database and the driver. */
final class NelumboDatabaseMetaData extends CatalogMetadata implements DatabaseMetaData {
  private static final int JDBC_MAJOR = 4;
  private static final int JDBC_MINOR = 3;

  private final NelumboConnection connection;

  NelumboDatabaseMetaData(NelumboConnection connection) {
    this.connection = connection;
  }

  @Override
  CatalogReader catalog() {
    return connection.database().catalog();
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public String getURL() {
    return connection.url().text();
  }

  @Override
  public String getUserName() {
    return connection.url().user();
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    return connection.isReadOnly();
  }

  @Override
  public String getDatabaseProductName() {
    return "Nelumbo";
  }

  @Override
  public String getDatabaseProductVersion() {
    return NelumboDriver.VERSION;
  }

  @Override
  public int getDatabaseMajorVersion() {
    return NelumboDriver.MAJOR_VERSION;
  }

  @Override
  public int getDatabaseMinorVersion() {
    return NelumboDriver.MINOR_VERSION;
  }

  @Override
  public String getDriverName() {
    return "Nelumbo JDBC driver";
  }

  @Override
  public String getDriverVersion() {
    return NelumboDriver.VERSION;
  }

  @Override
  public int getDriverMajorVersion() {
    return NelumboDriver.MAJOR_VERSION;
  }

  @Override
  public int getDriverMinorVersion() {
    return NelumboDriver.MINOR_VERSION;
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

  // Words and names.

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

  // What depends on an argument.

  @Override
  public boolean supportsConvert(int fromType, int toType) {
    return false;
  }

  @Override
  public int getDefaultTransactionIsolation() {
    return connection.url().defaultIsolation();
  }

  /** All four: the weaker ones give snapshot isolation. */
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
    return supportsResultSetType(type) && concurrency == ResultSet.CONCUR_READ_ONLY;
  }

  @Override
  public boolean supportsResultSetHoldability(int holdability) {
    return holdability == ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public int getResultSetHoldability() {
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public ResultSet getClientInfoProperties() throws SQLException {
    MetadataRows rows = MetadataRows.of("NAME MAX_LEN# DEFAULT_VALUE DESCRIPTION");
    ClientInfo.NAMES.forEach(name -> rows.add(name, Integer.MAX_VALUE, "", "kept, not used"));
    return rows.open();
  }
}
