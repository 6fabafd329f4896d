package org.nelumbo.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;
import org.nelumbo.clients.liquibase.NelumboDatabase;

/** Tools that migrate a schema from one version to the next. */
class MigrationTest {
  private static String answer(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return String.join(" ", found);
    }
  }

  private static Flyway flyway(String url, String schema, String target) {
    return Flyway.configure()
        .dataSource(url, null, null)
        .schemas(schema)
        .locations("classpath:migrations")
        .target(target)
        .cleanDisabled(false)
        .load();
  }

  @Test
  void shouldMigrateWithFlyway() throws Exception {
    String url = "jdbc:nelumbo:mem:flyway";
    assertEquals(1, flyway(url, "SHOP", "1").migrate().migrationsExecuted);
    assertEquals("a;b it's", answer(url, "SELECT name FROM shop.item ORDER BY id"));
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<Integer>> done = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        done.add(threads.submit(() -> flyway(url, "SHOP", "latest").migrate().migrationsExecuted));
      }
      assertEquals(1, done.get(0).get() + done.get(1).get());
    }
    Flyway latest = flyway(url, "SHOP", "latest");
    assertTrue(latest.validateWithResult().validationSuccessful);
    assertEquals(0, latest.migrate().migrationsExecuted);
    assertEquals("a;b", answer(url, "SELECT name FROM shop.cheap"));
    assertThrows(FlywayException.class, () -> flyway(url, "SHOP", "latest").baseline());
    latest.clean();
    assertEquals(2, latest.migrate().migrationsExecuted);
  }

  @Test
  void shouldMigrateWithLiquibase() throws Exception {
    String url = "jdbc:nelumbo:mem:liquibase";
    try (Connection keeper = DriverManager.getConnection(url)) {
      Database database =
          DatabaseFactory.getInstance()
              .findCorrectDatabaseImplementation(
                  new JdbcConnection(DriverManager.getConnection(url)));
      assertEquals(NelumboDatabase.class, database.getClass());
      try (Liquibase liquibase =
          new Liquibase("migrations/changes.xml", new ClassLoaderResourceAccessor(), database)) {
        liquibase.update(1, new Contexts(), new LabelExpression());
        liquibase.update(new Contexts(), new LabelExpression());
        liquibase.update(new Contexts(), new LabelExpression());
        assertEquals("it's4", answer(url, "SELECT name || stock FROM cheap"));
        assertEquals("2024-02-29 10:00:00", answer(url, "SELECT made FROM item"));
        assertEquals("100", answer(url, "SELECT NEXT VALUE FOR numbers"));
        assertEquals("0", answer(url, "SELECT COUNT(*) FROM databasechangeloglock WHERE locked"));
        liquibase.rollback(1, new Contexts(), new LabelExpression());
        assertEquals("0", answer(url, "SELECT COUNT(*) FROM item"));
        liquibase.dropAll();
      }
      assertTrue(keeper.isValid(1));
    }
  }
}
