package org.nelumbo.clients.flyway;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.internal.database.base.Database;
import org.flywaydb.core.internal.database.base.Schema;
import org.flywaydb.core.internal.database.base.Table;
import org.flywaydb.core.internal.jdbc.JdbcTemplate;

/** A schema that Flyway creates, inspects and cleans. */
final class FlywaySchema extends Schema<Database<?>, FlywayTable> {
  FlywaySchema(JdbcTemplate template, Database<?> database, String name) {
    super(template, database, name);
  }

  @Override
  protected boolean doExists() throws SQLException {
    try (ResultSet schemas = database.getJdbcMetaData().getSchemas()) {
      while (schemas.next()) {
        if (schemas.getString("TABLE_SCHEM").equals(name)) {
          return true;
        }
      }
    }
    return false;
  }

  private List<String> names(String type) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet tables =
        database.getJdbcMetaData().getTables(null, null, "%", new String[] {type})) {
      while (tables.next()) {
        if (tables.getString("TABLE_SCHEM").equals(name)) {
          names.add(tables.getString("TABLE_NAME"));
        }
      }
    }
    return names;
  }

  @Override
  protected boolean doEmpty() throws SQLException {
    return names("TABLE").isEmpty() && names("VIEW").isEmpty() && names("SEQUENCE").isEmpty();
  }

  @Override
  protected void doCreate() throws SQLException {
    jdbcTemplate.execute("CREATE SCHEMA " + database.quote(name));
  }

  @Override
  protected void doDrop() throws SQLException {
    jdbcTemplate.execute("DROP SCHEMA " + database.quote(name) + " CASCADE");
  }

  @Override
  protected void doClean() throws SQLException {
    for (String type : new String[] {"VIEW", "TABLE", "SEQUENCE"}) {
      for (String each : names(type)) {
        jdbcTemplate.execute(
            "DROP " + type + " IF EXISTS " + database.quote(name, each) + " CASCADE");
      }
    }
  }

  @Override
  protected FlywayTable[] doAllTables() throws SQLException {
    return names("TABLE").stream()
        .map(each -> new FlywayTable(jdbcTemplate, database, this, each))
        .toArray(FlywayTable[]::new);
  }

  @Override
  public Table<?, ?> getTable(String table) {
    return new FlywayTable(jdbcTemplate, database, this, table);
  }
}
