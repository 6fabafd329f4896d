package org.nelumbo.clients.flyway;

import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.internal.database.base.Database;
import org.flywaydb.core.internal.database.base.Schema;
import org.flywaydb.core.internal.database.base.Table;
import org.flywaydb.core.internal.jdbc.JdbcTemplate;

/** A table that Flyway uses for its history, or cleans. */
final class FlywayTable extends Table<Database<?>, Schema<?, ?>> {
  private static final String CONFLICT = "40001";

  FlywayTable(JdbcTemplate template, Database<?> database, Schema<?, ?> schema, String name) {
    super(template, database, schema, name);
  }

  @Override
  protected void doDrop() throws SQLException {
    jdbcTemplate.execute("DROP TABLE " + this + " CASCADE");
  }

  @Override
  protected boolean doExists() throws SQLException {
    return exists(null, schema, name);
  }

  /**
   * Locks the history table, even if another migration holds the lock for longer than the lock
   * timeout. It locks a row that never exists, so that the holder of the lock can add rows.
   */
  @Override
  protected void doLock() throws SQLException {
    int retries = database.getConfiguration().getLockRetryCount();
    for (int i = 0; !tryLock(retries >= 0 && i >= retries); i++) {
      jdbcTemplate.getConnection().rollback();
    }
  }

  private boolean tryLock(boolean last) throws SQLException {
    try (Statement statement = jdbcTemplate.getConnection().createStatement()) {
      statement.executeUpdate(
          "UPDATE " + this + " SET \"success\" = FALSE WHERE \"installed_rank\" = -1");
      return true;
    } catch (SQLException e) {
      if (last || !CONFLICT.equals(e.getSQLState())) {
        throw e;
      }
      return false;
    }
  }
}
