package org.nelumbo.clients.liquibase;

import java.sql.SQLException;
import liquibase.database.AbstractJdbcDatabase;
import liquibase.database.DatabaseConnection;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import liquibase.exception.UnexpectedLiquibaseException;
import liquibase.structure.DatabaseObject;

/** Describes this database to Liquibase; registered as a service. */
public class NelumboDatabase extends AbstractJdbcDatabase {
  private static final String NAME = "Nelumbo";
  private static final int MICROSECONDS = 6;

  public NelumboDatabase() {
    setCurrentDateTimeFunction("LOCALTIMESTAMP");
  }

  @Override
  public int getPriority() {
    return PRIORITY_DATABASE;
  }

  @Override
  public String getShortName() {
    return "nelumbo";
  }

  @Override
  protected String getDefaultDatabaseProductName() {
    return NAME;
  }

  @Override
  public boolean isCorrectDatabaseImplementation(DatabaseConnection connection)
      throws DatabaseException {
    return NAME.equals(connection.getDatabaseProductName());
  }

  @Override
  public String getDefaultDriver(String url) {
    return url.startsWith("jdbc:nelumbo:") ? "org.nelumbo.jdbc.NelumboDriver" : null;
  }

  @Override
  protected String getConnectionSchemaName() {
    try {
      return getConnection() instanceof JdbcConnection connection
          ? connection.getUnderlyingConnection().getSchema()
          : null;
    } catch (SQLException e) {
      throw new UnexpectedLiquibaseException(e);
    }
  }

  @Override
  public Integer getDefaultPort() {
    return null;
  }

  @Override
  public boolean supportsInitiallyDeferrableColumns() {
    return false;
  }

  @Override
  public boolean supportsTablespaces() {
    return false;
  }

  @Override
  public boolean supportsCatalogInObjectName(Class<? extends DatabaseObject> type) {
    return false;
  }

  /** Returns false, because DDL statements commit. */
  @Override
  public boolean supportsDDLInTransaction() {
    return false;
  }

  @Override
  public boolean supportsSequences() {
    return true;
  }

  @Override
  public boolean supportsAutoIncrement() {
    return true;
  }

  @Override
  public boolean supportsDropTableCascadeConstraints() {
    return true;
  }

  @Override
  public int getMaxFractionalDigitsForTimestamp() {
    return MICROSECONDS;
  }
}
