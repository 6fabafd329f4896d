package org.nelumbo.jdbc.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Metadata that tools read before they show anything. */
class MetadataTest {
  private Connection connection;
  private DatabaseMetaData metadata;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=64m");
    metadata = connection.getMetaData();
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE order_line (o_id INTEGER NOT NULL, number INTEGER NOT NULL,"
              + " amount DECIMAL(6, 2) DEFAULT 0, info VARCHAR(24),"
              + " PRIMARY KEY (o_id, number))");
      statement.execute("CREATE TABLE orderxline (id BIGINT PRIMARY KEY)");
      statement.execute("CREATE INDEX by_info ON order_line (info DESC)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static List<String> column(ResultSet rows, String label) throws SQLException {
    List<String> values = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        values.add(rows.getString(label));
      }
    }
    return values;
  }

  @Test
  void shouldReturnValueFromEveryMethodWithoutParameters() throws ReflectiveOperationException {
    for (Method method : DatabaseMetaData.class.getMethods()) {
      if (method.getParameterCount() == 0) {
        assertNotNull(method.invoke(metadata), method.getName());
      }
    }
  }

  @Test
  void shouldShowThePrecisionOfTimes() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int p = 0; p <= 6; p++) {
        statement.execute(
            "CREATE TABLE times_"
                + p
                + " (a TIME("
                + p
                + "), b TIMESTAMP("
                + p
                + "), c TIMESTAMP("
                + p
                + ") WITH TIME ZONE)");
        int fraction = p == 0 ? 0 : p + 1;
        String table = "TIMES_" + p;
        String digits = Integer.toString(p);
        assertEquals(
            List.of(digits, digits, digits),
            column(metadata.getColumns(null, null, table, null), "DECIMAL_DIGITS"));
        assertEquals(
            List.of("" + (8 + fraction), "" + (19 + fraction), "" + (25 + fraction)),
            column(metadata.getColumns(null, null, table, null), "COLUMN_SIZE"));
        try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
          assertEquals(p, rows.getMetaData().getScale(2));
          assertEquals(19 + fraction, rows.getMetaData().getPrecision(2));
          assertEquals(8 + fraction, rows.getMetaData().getColumnDisplaySize(1));
        }
      }
    }
  }

  @Test
  void shouldShowCommentsAndGeneratedColumns() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE order_line ADD COLUMN twice INTEGER AS (number * 2)");
      statement.execute("COMMENT ON TABLE order_line IS 'what was ordered'");
      statement.execute("COMMENT ON COLUMN order_line.info IS 'words'");
      statement.execute("CREATE SEQUENCE numbers");
      statement.execute("COMMENT ON SEQUENCE numbers IS 'one after the other'");
    }
    assertEquals(
        List.of("what was ordered"),
        column(metadata.getTables(null, null, "ORDER\\_LINE", null), "REMARKS"));
    assertEquals(
        List.of("one after the other"),
        column(metadata.getTables(null, null, "%", new String[] {"SEQUENCE"}), "REMARKS"));
    String table = "ORDER\\_LINE";
    assertEquals(
        List.of("", "", "", "words", ""),
        column(metadata.getColumns(null, null, table, null), "REMARKS"));
    assertEquals(
        List.of("NO", "NO", "NO", "NO", "YES"),
        column(metadata.getColumns(null, null, table, null), "IS_GENERATEDCOLUMN"));
  }

  @Test
  void shouldReturnResultSetsForNullArguments() throws ReflectiveOperationException {
    for (Method method : DatabaseMetaData.class.getMethods()) {
      Class<?>[] types = method.getParameterTypes();
      if (ResultSet.class.equals(method.getReturnType())) {
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
          arguments[i] = types[i] == int.class ? 0 : types[i] == boolean.class ? false : null;
        }
        assertNotNull(method.invoke(metadata, arguments), method.getName());
      }
    }
  }

  @Test
  void shouldSupportStartupCallsOfShells() throws SQLException {
    assertEquals("Nelumbo", metadata.getDatabaseProductName());
    assertEquals("\"", metadata.getIdentifierQuoteString());
    assertTrue(metadata.storesUpperCaseIdentifiers());
    assertFalse(metadata.storesLowerCaseIdentifiers());
    assertTrue(metadata.getSQLKeywords().contains("SELECT"));
    assertTrue(metadata.supportsTransactionIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ));
    assertEquals(Connection.TRANSACTION_SERIALIZABLE, metadata.getDefaultTransactionIsolation());
    assertTrue(metadata.getURL().startsWith("jdbc:nelumbo:mem:"));
    assertNull(connection.getCatalog());
    assertNull(connection.getWarnings());
  }

  @Test
  void shouldListTablesByPattern() throws SQLException {
    assertEquals(
        List.of("ORDERXLINE", "ORDER_LINE"),
        column(metadata.getTables(null, "PUBLIC", "ORDER_LINE", null), "TABLE_NAME"));
    assertEquals(
        List.of("ORDER_LINE"),
        column(metadata.getTables(null, null, "ORDER\\_L%", new String[] {"TABLE"}), "TABLE_NAME"));
    assertEquals(List.of(), column(metadata.getTables("elsewhere", null, "%", null), "TABLE_NAME"));
    List<String> views =
        column(metadata.getTables("", "SYS", "%", new String[] {"SYSTEM VIEW"}), "TABLE_TYPE");
    assertTrue(views.contains("SYSTEM VIEW"));
    assertEquals(
        List.of("SEQUENCE", "SYSTEM VIEW", "TABLE", "VIEW"),
        column(metadata.getTableTypes(), "TABLE_TYPE"));
    assertTrue(column(metadata.getSchemas(), "TABLE_SCHEM").contains("PUBLIC"));
  }

  @Test
  void shouldDescribeColumns() throws SQLException {
    try (ResultSet rows = metadata.getColumns(null, null, "ORDER\\_LINE", "%")) {
      assertTrue(rows.next());
      assertEquals("O_ID", rows.getString("COLUMN_NAME"));
      assertEquals(Types.INTEGER, rows.getInt("DATA_TYPE"));
      assertEquals("NO", rows.getString("IS_NULLABLE"));
      assertTrue(rows.next());
      assertEquals(2, rows.getInt("ORDINAL_POSITION"));
      assertTrue(rows.next());
      assertEquals("DECIMAL", rows.getString("TYPE_NAME"));
      assertEquals(6, rows.getInt("COLUMN_SIZE"));
      assertEquals(2, rows.getInt("DECIMAL_DIGITS"));
      assertEquals("0", rows.getString("COLUMN_DEF"));
      assertTrue(rows.next());
      assertEquals(24, rows.getInt("CHAR_OCTET_LENGTH"));
      assertEquals(DatabaseMetaData.columnNullable, rows.getInt("NULLABLE"));
      assertFalse(rows.next());
    }
  }

  @Test
  void shouldListKeysAndIndexes() throws SQLException {
    assertEquals(
        List.of("NUMBER", "O_ID"),
        column(metadata.getPrimaryKeys(null, "PUBLIC", "ORDER_LINE"), "COLUMN_NAME"));
    try (ResultSet rows = metadata.getIndexInfo(null, null, "ORDER_LINE", false, true)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(
            rows.getBoolean("NON_UNIQUE")
                + " "
                + rows.getString("COLUMN_NAME")
                + " "
                + rows.getString("ASC_OR_DESC"));
      }
      assertEquals(List.of("false O_ID A", "false NUMBER A", "true INFO D"), found);
    }
    assertEquals(
        2,
        column(metadata.getIndexInfo(null, null, "ORDER_LINE", true, true), "INDEX_NAME").size());
  }

  @Test
  void shouldListForeignKeys() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE note (id INTEGER PRIMARY KEY, o INTEGER, n INTEGER, x BIGINT,"
              + " CONSTRAINT of_line FOREIGN KEY (o, n) REFERENCES order_line (o_id, number),"
              + " CONSTRAINT of_x FOREIGN KEY (x) REFERENCES orderxline (id))");
    }
    List<String> all =
        List.of(
            "ORDERXLINE.ID X OF_X 1",
            "ORDER_LINE.O_ID O OF_LINE 1",
            "ORDER_LINE.NUMBER N OF_LINE 2");
    assertEquals(all, keys(metadata.getImportedKeys(null, "PUBLIC", "NOTE")));
    assertEquals(all.subList(1, 3), keys(metadata.getExportedKeys(null, null, "ORDER_LINE")));
    assertEquals(
        all.subList(0, 1),
        keys(metadata.getCrossReference(null, null, "ORDERXLINE", null, null, "NOTE")));
    assertEquals(List.of(), keys(metadata.getImportedKeys(null, null, "ORDER_LINE")));
    assertEquals(
        List.of("ORDER_LINE_PKEY", "ORDER_LINE_PKEY"),
        column(metadata.getExportedKeys("", "PUBLIC", "ORDER_LINE"), "PK_NAME"));
  }

  private static List<String> keys(ResultSet rows) throws SQLException {
    List<String> found = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        found.add(
            rows.getString("PKTABLE_NAME")
                + "."
                + rows.getString("PKCOLUMN_NAME")
                + " "
                + rows.getString("FKCOLUMN_NAME")
                + " "
                + rows.getString("FK_NAME")
                + " "
                + rows.getInt("KEY_SEQ"));
      }
    }
    return found;
  }

  @Test
  void shouldDescribeResultsAndParameters() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT o_id, amount AS total FROM order_line WHERE info = ? AND amount > ?")) {
      ResultSetMetaData columns = statement.getMetaData();
      assertEquals(2, columns.getColumnCount());
      assertEquals("TOTAL", columns.getColumnLabel(2));
      assertEquals(Types.DECIMAL, columns.getColumnType(2));
      assertEquals("ORDER_LINE", columns.getTableName(1));
      ParameterMetaData parameters = statement.getParameterMetaData();
      assertEquals(2, parameters.getParameterCount());
      assertEquals(Types.VARCHAR, parameters.getParameterType(1));
    }
    try (PreparedStatement statement =
        connection.prepareStatement("DELETE FROM orderxline WHERE id = ?")) {
      assertNull(statement.getMetaData());
    }
  }
}
