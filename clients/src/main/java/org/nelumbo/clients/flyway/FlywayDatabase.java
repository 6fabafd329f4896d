package org.nelumbo.clients.flyway;

import java.sql.Connection;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.database.base.Database;
import org.flywaydb.core.internal.database.base.Table;
import org.flywaydb.core.internal.jdbc.JdbcConnectionFactory;
import org.flywaydb.core.internal.jdbc.StatementInterceptor;

/** Describes this database to Flyway. */
final class FlywayDatabase extends Database<FlywayConnection> {
  FlywayDatabase(
      Configuration configuration,
      JdbcConnectionFactory connections,
      StatementInterceptor interceptor) {
    super(configuration, connections, interceptor);
  }

  @Override
  protected FlywayConnection doGetConnection(Connection connection) {
    return new FlywayConnection(this, connection);
  }

  @Override
  public void ensureSupported(Configuration configuration) {
    // There is only one version so far.
  }

  @Override
  public boolean supportsDdlTransactions() {
    return false;
  }

  @Override
  public String getBooleanTrue() {
    return "TRUE";
  }

  @Override
  public String getBooleanFalse() {
    return "FALSE";
  }

  @Override
  public boolean catalogIsSchema() {
    return false;
  }

  @Override
  @SuppressWarnings("rawtypes") // as in Flyway
  public String getRawCreateScript(Table table, boolean baseline) {
    return "CREATE TABLE "
        + table
        + " (\"installed_rank\" INTEGER NOT NULL PRIMARY KEY, \"version\" VARCHAR(50),"
        + " \"description\" VARCHAR(200) NOT NULL, \"type\" VARCHAR(20) NOT NULL,"
        + " \"script\" VARCHAR(1000) NOT NULL, \"checksum\" INTEGER,"
        + " \"installed_by\" VARCHAR(100) NOT NULL,"
        + " \"installed_on\" TIMESTAMP DEFAULT LOCALTIMESTAMP NOT NULL,"
        + " \"execution_time\" INTEGER NOT NULL, \"success\" BOOLEAN NOT NULL);\n"
        + (baseline ? getBaselineStatement(table) + ";\n" : "");
  }
}
