package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Indexes of foreign keys: a foreign key creates an index on its columns unless one exists, and
 * drops it with the constraint.
 */
class ForeignKeyIndexTest {
  private Connection connection;

  @BeforeEach
  void createParent() throws SQLException {
    connection =
        DriverManager.getConnection("jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m");
    run(
        connection,
        "CREATE TABLE parent (a INT, b INT, c INT UNIQUE, PRIMARY KEY (a, b))",
        "INSERT INTO parent VALUES (1, 1, 1), (2, 2, 2)");
  }

  @AfterEach
  void shutDown() throws SQLException {
    run(connection, "SHUTDOWN");
  }

  private Set<String> indexes(String table) throws SQLException {
    Set<String> names = new TreeSet<>();
    try (ResultSet rows = connection.getMetaData().getIndexInfo(null, null, table, false, false)) {
      while (rows.next()) {
        names.add(rows.getString("INDEX_NAME"));
      }
    }
    return names;
  }

  @Test
  void shouldMakeAnIndexUnlessOneBeginsWithTheColumns() throws SQLException {
    run(
        connection,
        "CREATE TABLE child (id INT PRIMARY KEY, a INT, b INT, c INT CONSTRAINT to_c REFERENCES"
            + " parent (c), CONSTRAINT to_ab FOREIGN KEY (a, b) REFERENCES parent)");
    assertEquals(Set.of("CHILD_PKEY", "TO_AB_IDX", "TO_C_IDX"), indexes("CHILD"));
    run(
        connection,
        "CREATE TABLE other (b INT, a INT, x INT, c INT UNIQUE REFERENCES parent (c), PRIMARY KEY"
            + " (b, a, x), FOREIGN KEY (a, b) REFERENCES parent)");
    assertEquals(Set.of("OTHER_PKEY", "OTHER_C_KEY"), indexes("OTHER"));
    run(
        connection,
        "CREATE TABLE more (id INT PRIMARY KEY, c INT CONSTRAINT to_c REFERENCES parent (c))");
    assertEquals(Set.of("MORE_PKEY", "TO_C_IDX1"), indexes("MORE"));
  }

  @Test
  void shouldMakeItForRowsThatReferToTheirOwnTable() throws SQLException {
    run(
        connection,
        "CREATE TABLE node (id INT PRIMARY KEY, up INT CONSTRAINT up REFERENCES node)",
        "INSERT INTO node VALUES (1, NULL), (2, 1)");
    assertEquals(Set.of("NODE_PKEY", "UP_IDX"), indexes("NODE"));
  }

  @Test
  void shouldMakeAndDropItWithAConstraintThatIsAddedAndDropped() throws SQLException {
    run(
        connection,
        "CREATE TABLE child (id INT PRIMARY KEY, c INT)",
        "INSERT INTO child VALUES (1, 1), (2, 1), (3, NULL)",
        "ALTER TABLE child ADD CONSTRAINT to_c FOREIGN KEY (c) REFERENCES parent (c)");
    assertEquals(Set.of("CHILD_PKEY", "TO_C_IDX"), indexes("CHILD"));
    assertEquals(List.of("1", "2"), ids("SELECT id FROM child WHERE c = 1 ORDER BY id"));
    run(connection, "ALTER TABLE child ADD CONSTRAINT twice FOREIGN KEY (c) REFERENCES parent (c)");
    assertEquals(Set.of("CHILD_PKEY", "TO_C_IDX"), indexes("CHILD"));
    run(connection, "ALTER TABLE child DROP CONSTRAINT to_c");
    assertEquals(Set.of("CHILD_PKEY", "TO_C_IDX"), indexes("CHILD"), "the other one needs it");
    run(connection, "ALTER TABLE child DROP CONSTRAINT twice");
    assertEquals(Set.of("CHILD_PKEY"), indexes("CHILD"));
  }

  @Test
  void shouldReplaceGeneratedIndexByUserIndex() throws SQLException {
    run(
        connection,
        "CREATE TABLE child (id INT PRIMARY KEY, c INT REFERENCES parent (c), d INT)",
        "INSERT INTO child VALUES (1, 1, 5), (2, 2, 6)",
        "CREATE INDEX few ON child (c) WHERE d > 5",
        "CREATE INDEX others ON child (d, c)");
    assertEquals(Set.of("CHILD_PKEY", "CHILD_C_FKEY_IDX", "FEW", "OTHERS"), indexes("CHILD"));
    run(connection, "CREATE INDEX mine ON child (c, d)");
    assertEquals(Set.of("CHILD_PKEY", "MINE", "FEW", "OTHERS"), indexes("CHILD"));
    run(connection, "ALTER TABLE child DROP CONSTRAINT child_c_fkey");
    assertEquals(Set.of("CHILD_PKEY", "MINE", "FEW", "OTHERS"), indexes("CHILD"));
  }

  @Test
  void shouldReplaceGeneratedIndexByUniqueOrExpressionIndex() throws SQLException {
    run(
        connection,
        "CREATE TABLE child (id INT PRIMARY KEY, c INT REFERENCES parent (c), d INT)",
        "INSERT INTO child VALUES (1, 1, 5), (2, 2, 6)",
        "ALTER TABLE child ADD CONSTRAINT once UNIQUE (c, d)");
    assertEquals(Set.of("CHILD_PKEY", "ONCE"), indexes("CHILD"));
    run(
        connection,
        "CREATE TABLE other (id INT PRIMARY KEY, c INT REFERENCES parent (c), d INT)",
        "INSERT INTO other VALUES (1, 1, 5), (2, 2, 6)",
        "CREATE INDEX later ON other (c, (d + 1))");
    assertEquals(Set.of("OTHER_PKEY", "LATER"), indexes("OTHER"));
  }

  @Test
  void shouldIndexLongForeignKeys() throws SQLException {
    run(
        connection,
        "CREATE TABLE named (name VARCHAR(255) PRIMARY KEY)",
        "CREATE TABLE child (id VARCHAR(255) PRIMARY KEY, name VARCHAR(255) REFERENCES named ON"
            + " DELETE CASCADE)",
        "CREATE TABLE brief (id INT PRIMARY KEY, name VARCHAR(40) REFERENCES named)");
    assertEquals(Set.of("CHILD_PKEY", "CHILD_NAME_FKEY_IDX"), indexes("CHILD"));
    assertEquals(Set.of("BRIEF_PKEY", "BRIEF_NAME_FKEY_IDX"), indexes("BRIEF"));
    run(
        connection,
        "INSERT INTO named VALUES (REPEAT('x', 150)), ('y')",
        "INSERT INTO child VALUES (REPEAT('z', 150), REPEAT('x', 150)), ('y', 'y')",
        "DELETE FROM named WHERE name <> 'y'");
    assertEquals(List.of("y"), ids("SELECT id FROM child"));
    run(
        connection,
        "ALTER TABLE brief DROP PRIMARY KEY",
        "ALTER TABLE brief ALTER COLUMN id TYPE VARCHAR(255)",
        "ALTER TABLE brief ADD PRIMARY KEY (id)",
        "INSERT INTO brief VALUES (REPEAT('z', 190), 'y')");
    assertEquals(Set.of("BRIEF_PKEY", "BRIEF_NAME_FKEY_IDX"), indexes("BRIEF"));
    assertEquals(List.of("190"), ids("SELECT LENGTH(id) FROM brief WHERE name = 'y'"));
  }

  @Test
  void shouldFindRowsThatReferByIt() throws SQLException {
    run(
        connection,
        "CREATE TABLE child (id INT PRIMARY KEY, c INT REFERENCES parent (c) ON DELETE CASCADE)",
        "INSERT INTO child VALUES (1, 1), (2, 2)");
    assertTrue(
        ids("EXPLAIN SELECT MAX(id) FROM child WHERE c = 2").stream()
            .anyMatch(line -> line.contains("CHILD_C_FKEY_IDX")));
    run(connection, "DELETE FROM parent WHERE c = 2");
    assertEquals(List.of("1"), ids("SELECT id FROM child"));
    run(connection, "DROP INDEX child_c_fkey_idx", "DELETE FROM parent WHERE c = 1");
    assertEquals(List.of(), ids("SELECT id FROM child"));
  }

  private List<String> ids(String query) throws SQLException {
    List<String> ids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }
}
