package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the SQL of all pages works. */
class PageSqlTest {
  /** Objects that the examples presuppose. */
  private static final List<String> PRESUPPOSED =
      List.of(
          "CREATE TABLE customer (id INT PRIMARY KEY, name VARCHAR(20))",
          "CREATE TABLE bill (id BIGINT PRIMARY KEY)",
          "CREATE TABLE job (id INT PRIMARY KEY, state VARCHAR(10))",
          "INSERT INTO job VALUES (1, 'done'), (2, 'new'), (3, 'new')",
          "CREATE TABLE t (k INT PRIMARY KEY, x INT)",
          "CREATE TABLE u (k INT PRIMARY KEY, y INT)");

  /** SQLStates of syntax errors and of statements that are not supported. */
  private static final List<String> REFUSED = List.of("42601", "0A000");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** A complete statement, perhaps with optional parts in brackets. */
  private static final Pattern STATEMENT =
      Pattern.compile(
          "(?!.*(…|\\.\\.\\.))((CREATE|DROP|ALTER|TRUNCATE) [A-Z \\[\\]]*(TABLE|INDEX|VIEW|SEQUENCE|SCHEMA) \\w"
              + "|(INSERT|REPLACE|MERGE) INTO|DELETE FROM|UPDATE \\w+ SET|SELECT .* FROM"
              + "|SHOW \\w|RESET \\w|SET \\w{2,} = |CHECK (DATABASE|TABLE \\w)|START TRANSACTION"
              + "|BACKUP TO .|RESTORE FROM).*");

  /** A row about a view: its name, its description, its columns. */
  private static final Pattern SYSTEM_VIEW =
      Pattern.compile("\\| `(SYS\\.\\w+)` \\|[^|]*\\|([^|]*)\\|");

  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  private static Stream<Path> pages() throws IOException {
    return Pages.blocks().stream().filter(block -> block.is("sql")).map(Block::page).distinct();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldExecuteTheBlocks(Path page) throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      for (Block block : Block.of(page)) {
        if (block.is("sql")) {
          for (String each : block.text().replaceAll("--.*", "").split(";\\s*(\n|$)", -1)) {
            if (!each.isBlank()) {
              execute(connection, each);
            }
          }
        }
      }
    }
  }

  private static Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
    for (String each : PRESUPPOSED) {
      execute(connection, each);
    }
    return connection;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 1; i <= statement.getParameterMetaData().getParameterCount(); i++) {
        statement.setInt(i, i);
      }
      boolean _ = statement.execute();
    }
  }

  @Test
  void shouldAcceptTheStatementsInTheText() throws Exception {
    int statements = 0;
    try (Connection connection = connect()) {
      for (Path page : Pages.all()) {
        Matcher code = CODE.matcher(Pages.withoutCode(Files.readString(page)));
        while (code.find()) {
          String text = code.group(1).replaceAll("\\s+", " ");
          if (STATEMENT.matcher(text).matches()) {
            assertAccepted(connection, text.replaceAll(" ?\\[[^\\[\\]]*]", ""), page);
            assertAccepted(connection, text.replaceAll("[\\[\\]]", ""), page);
            statements++;
          }
        }
      }
    }
    assertTrue(statements > 40, "found only " + statements);
  }

  /** Asserts that the grammar has a statement, whose tables need not exist. */
  private static void assertAccepted(Connection connection, String sql, Path page)
      throws SQLException {
    try (PreparedStatement _ = connection.prepareStatement(sql.replaceAll("\\bn\\b", "1"))) {
      assertFalse(sql.isEmpty());
    } catch (SQLException e) {
      assertFalse(REFUSED.contains(e.getSQLState()), page + ": " + sql + ": " + e.getMessage());
    }
  }

  @Test
  void shouldListTheColumnsOfTheSystemViews() throws Exception {
    Map<String, List<String>> shown = new TreeMap<>();
    Map<String, List<String>> actual = new TreeMap<>();
    Matcher view = SYSTEM_VIEW.matcher(Files.readString(Path.of("../docs/guide/system-views.md")));
    while (view.find()) {
      shown.put(
          view.group(1), NAME.matcher(view.group(2)).results().map(each -> each.group(1)).toList());
    }
    try (Connection connection = connect();
        ResultSet rows = connection.getMetaData().getColumns(null, "SYS", null, null)) {
      while (rows.next()) {
        actual
            .computeIfAbsent("SYS." + rows.getString("TABLE_NAME"), _ -> new ArrayList<>())
            .add(rows.getString("COLUMN_NAME"));
      }
    }
    assertEquals(actual, shown);
  }
}
