package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Generated names of constraints and indexes: they never collide with existing names. */
class ConstraintNameTest {
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private String names(String table) throws SQLException {
    TreeSet<String> names = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT constraint_name FROM information_schema.table_constraints"
                    + " WHERE table_name = '"
                    + table
                    + "' AND constraint_name NOT LIKE '%NOT_NULL%'")) {
      while (result.next()) {
        names.add(result.getString(1));
      }
    }
    return String.join(" ", names);
  }

  @Test
  void shouldFindFreeNamesAfterARename() throws SQLException {
    String create =
        "CREATE TABLE n (id INTEGER PRIMARY KEY, v INTEGER UNIQUE, p INTEGER REFERENCES n (id),"
            + " CHECK (v > 0))";
    run(connection, create, "ALTER TABLE n RENAME TO a", create, "ALTER TABLE n RENAME TO b");
    run(connection, create);
    assertEquals("N_CHECK_1 N_PKEY N_P_FKEY N_V_KEY", names("A"));
    assertEquals("N_CHECK_1 N_PKEY1 N_P_FKEY N_V_KEY1", names("B"));
    assertEquals("N_CHECK_1 N_PKEY2 N_P_FKEY N_V_KEY2", names("N"));
    run(connection, "CREATE TABLE c (LIKE n INCLUDING ALL)", "ALTER TABLE c RENAME TO d");
    run(
        connection,
        "CREATE TABLE c (LIKE n INCLUDING ALL)",
        "DROP TABLE a",
        create.replace(" n ", " a "));
  }

  @Test
  void shouldFindFreeNamesAfterAColumnIsRenamed() throws SQLException {
    run(
        connection,
        "CREATE TABLE u (id INTEGER PRIMARY KEY, v INTEGER UNIQUE, p INTEGER REFERENCES u (id))",
        "ALTER TABLE u RENAME COLUMN v TO v_old",
        "ALTER TABLE u ADD COLUMN v INTEGER UNIQUE",
        "ALTER TABLE u RENAME COLUMN p TO p_old",
        "ALTER TABLE u ADD COLUMN p INTEGER REFERENCES u (id)",
        "ALTER TABLE u ADD UNIQUE (v, p)",
        "ALTER TABLE u ADD UNIQUE (v, p)");
    assertEquals("U_PKEY U_P_FKEY U_P_FKEY1 U_V_KEY U_V_KEY1 U_V_P_KEY U_V_P_KEY1", names("U"));
  }

  @Test
  void shouldFindFreeNamesOfChecksAfterADrop() throws SQLException {
    run(
        connection,
        "CREATE TABLE k (a INTEGER, CHECK (a > 0), CHECK (a > 1))",
        "ALTER TABLE k DROP CONSTRAINT k_check_1",
        "ALTER TABLE k ADD CHECK (a > 2)");
    assertEquals("K_CHECK_2 K_CHECK_3", names("K"));
  }

  @Test
  void shouldMergeIdenticalConstraints() throws SQLException {
    run(connection, "CREATE TABLE x (a INTEGER UNIQUE, b INTEGER UNIQUE, UNIQUE (a))");
    assertEquals("X_A_KEY X_B_KEY", names("X"));
    run(connection, "CREATE TABLE y (a INTEGER UNIQUE, b INTEGER, CONSTRAINT y_a_key UNIQUE (b))");
    assertEquals("Y_A_KEY Y_A_KEY1", names("Y"));
  }

  @Test
  void shouldRejectDuplicateConstraintName() throws SQLException {
    SQLException failure =
        assertThrows(
            SQLException.class,
            () ->
                run(
                    connection,
                    "CREATE TABLE w (a INTEGER, b INTEGER, CONSTRAINT k UNIQUE (a),"
                        + " CONSTRAINT k UNIQUE (b))"));
    assertEquals("42S11", failure.getSQLState());
  }

  @Test
  void shouldAllowSameNameInSeveralTables() throws SQLException {
    run(
        connection,
        "CREATE TABLE z (a INTEGER, b INTEGER, CONSTRAINT k UNIQUE (a), KEY i (b))",
        "CREATE TABLE w (a INTEGER, b INTEGER, CONSTRAINT k UNIQUE (a), KEY i (b))",
        "CREATE TABLE u (a INTEGER)",
        "ALTER TABLE u ADD CONSTRAINT k UNIQUE (a)",
        "ALTER TABLE w DROP CONSTRAINT k",
        "INSERT INTO w VALUES (1, 1), (1, 1)");
    assertThrows(SQLException.class, () -> run(connection, "INSERT INTO z VALUES (1, 1), (1, 1)"));
    SQLException failure = assertThrows(SQLException.class, () -> run(connection, "DROP INDEX i"));
    assertEquals(
        "At line 1, column 12: tables PUBLIC.Z and PUBLIC.W have an index 'I' each;"
            + " write DROP INDEX I ON a table",
        failure.getMessage());
    assertThrows(SQLException.class, () -> run(connection, "CREATE INDEX i ON u (a)"));
    run(connection, "DROP INDEX i ON z", "DROP INDEX i");
  }
}
