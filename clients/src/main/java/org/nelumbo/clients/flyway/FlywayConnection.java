package org.nelumbo.clients.flyway;

import java.sql.SQLException;
import org.flywaydb.core.internal.database.base.Connection;
import org.flywaydb.core.internal.database.base.Database;
import org.flywaydb.core.internal.database.base.Schema;

/** A Flyway connection, with its current schema. */
final class FlywayConnection extends Connection<Database<?>> {
  FlywayConnection(Database<?> database, java.sql.Connection connection) {
    super(database, connection);
  }

  @Override
  protected String getCurrentSchemaNameOrSearchPath() throws SQLException {
    return getJdbcConnection().getSchema();
  }

  @Override
  protected void doChangeCurrentSchemaOrSearchPathTo(String schema) throws SQLException {
    getJdbcConnection().setSchema(schema);
  }

  @Override
  public Schema<?, ?> getSchema(String name) {
    return new FlywaySchema(jdbcTemplate, database, name);
  }
}
