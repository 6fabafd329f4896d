package org.nelumbo.jdbc.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that INFORMATION_SCHEMA agrees with DatabaseMetaData. */
class InformationSchemaTest {
  private Connection connection;
  private DatabaseMetaData metadata;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=64m");
    metadata = connection.getMetaData();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA shop");
      statement.execute(
          "CREATE TABLE shop.customer (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name"
              + " VARCHAR(30) DEFAULT 'x' NOT NULL, code CHAR(4), born DATE, UNIQUE (code, name))");
      statement.execute(
          "CREATE TABLE orders (c BIGINT, n INTEGER, price DECIMAL(9, 3), tax NUMERIC,"
              + " twice DECIMAL(9, 3) AS (price + price), at TIMESTAMP(2), seen TIMESTAMP WITH TIME"
              + " ZONE, data VARBINARY(12), u UUID, ok BOOLEAN, d DOUBLE, r REAL, s SMALLINT,"
              + " k CHAR(4), m VARCHAR(30), PRIMARY KEY (n, c),"
              + " CONSTRAINT of_customer FOREIGN KEY (c) REFERENCES shop.customer (id)"
              + " ON DELETE CASCADE ON UPDATE SET NULL,"
              + " CONSTRAINT of_code FOREIGN KEY (m, k) REFERENCES shop.customer (name, code)"
              + " ON DELETE RESTRICT)");
      statement.execute("CREATE TABLE loose (a INTEGER, b VARCHAR)");
      statement.execute("CREATE VIEW shown AS SELECT c, price * 2 AS p FROM orders");
      statement.execute("COMMENT ON TABLE orders IS 'what was ordered'");
      statement.execute("COMMENT ON COLUMN orders.at IS 'when'");
      statement.execute("COMMENT ON VIEW shown IS 'seen'");
      statement.execute("CREATE SEQUENCE shop.numbers INCREMENT BY 3");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** Returns the given columns of all rows as sorted lines. */
  private static List<String> lines(ResultSet rows, String... columns) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        StringBuilder line = new StringBuilder();
        for (String column : columns) {
          String value = rows.getString(column);
          line.append(value == null ? "" : value).append('|');
        }
        lines.add(line.toString());
      }
    }
    lines.sort(null);
    assertFalse(lines.isEmpty());
    return lines;
  }

  private List<String> lines(String query, String... columns) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return lines(statement.executeQuery(query), columns);
    }
  }

  @Test
  void shouldListSameSchemasAsMetadata() throws SQLException {
    assertEquals(
        lines(metadata.getSchemas(), "TABLE_SCHEM"),
        lines("SELECT * FROM information_schema.schemata", "SCHEMA_NAME"));
  }

  @Test
  void shouldListSameTablesAsMetadata() throws SQLException {
    assertEquals(
        lines(metadata.getTables(null, null, null, null), "TABLE_SCHEM", "TABLE_NAME", "REMARKS"),
        lines("SELECT * FROM information_schema.tables", "TABLE_SCHEMA", "TABLE_NAME", "REMARKS"));
    assertEquals(
        lines(metadata.getTables(null, null, null, new String[] {"TABLE"}), "TABLE_NAME"),
        lines(
            "SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE'",
            "TABLE_NAME"));
    assertEquals(
        lines(metadata.getTables(null, null, null, new String[] {"SEQUENCE"}), "TABLE_NAME"),
        lines("SELECT * FROM information_schema.sequences", "SEQUENCE_NAME"));
  }

  @Test
  void shouldListSameColumnsAsMetadata() throws SQLException {
    assertEquals(
        lines(
            metadata.getColumns(null, null, null, null),
            "TABLE_SCHEM",
            "TABLE_NAME",
            "COLUMN_NAME",
            "ORDINAL_POSITION",
            "IS_NULLABLE",
            "COLUMN_DEF",
            "IS_AUTOINCREMENT",
            "IS_GENERATEDCOLUMN",
            "REMARKS"),
        lines(
            "SELECT c.*, COALESCE(generation_expression, column_default) AS def,"
                + " CASE is_generated WHEN 'ALWAYS' THEN 'YES' ELSE 'NO' END AS gen"
                + " FROM information_schema.columns c",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "COLUMN_NAME",
            "ORDINAL_POSITION",
            "IS_NULLABLE",
            "DEF",
            "IS_IDENTITY",
            "GEN",
            "REMARKS"));
  }

  @Test
  void shouldReportSameLengthsAndPrecisionsAsMetadata() throws SQLException {
    List<String> expected = new ArrayList<>();
    try (ResultSet rows = metadata.getColumns(null, "PUBLIC", "ORDERS", null)) {
      while (rows.next()) {
        String type = rows.getString("TYPE_NAME");
        String size = rows.getString("COLUMN_SIZE");
        String digits = rows.getString("DECIMAL_DIGITS");
        boolean sized = List.of("CHAR", "VARCHAR", "VARBINARY").contains(type);
        boolean decimal = type.equals("DECIMAL");
        expected.add(
            rows.getString("COLUMN_NAME")
                + "|"
                + (sized ? size : "")
                + "|"
                + (decimal ? size + "|" + digits : "|")
                + "|");
      }
    }
    expected.sort(null);
    assertEquals(
        expected,
        lines(
            "SELECT column_name, character_maximum_length AS l,"
                + " CASE data_type WHEN 'DECIMAL' THEN numeric_precision END AS p,"
                + " CASE data_type WHEN 'DECIMAL' THEN numeric_scale END AS s"
                + " FROM information_schema.columns WHERE table_name = 'ORDERS'",
            "COLUMN_NAME",
            "L",
            "P",
            "S"));
  }

  @Test
  void shouldListSamePrimaryKeysAsMetadata() throws SQLException {
    List<String> expected = new ArrayList<>();
    for (String table : List.of("ORDERS", "CUSTOMER")) {
      expected.addAll(
          lines(
              metadata.getPrimaryKeys(null, null, table),
              "TABLE_SCHEM",
              "TABLE_NAME",
              "PK_NAME",
              "COLUMN_NAME",
              "KEY_SEQ"));
    }
    expected.sort(null);
    assertEquals(
        expected,
        lines(
            "SELECT k.* FROM information_schema.table_constraints t"
                + " JOIN information_schema.key_column_usage k"
                + " ON k.constraint_schema = t.constraint_schema"
                + " AND k.constraint_name = t.constraint_name"
                + " WHERE t.constraint_type = 'PRIMARY KEY'",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "CONSTRAINT_NAME",
            "COLUMN_NAME",
            "ORDINAL_POSITION"));
  }

  @Test
  void shouldListSameForeignKeysAsMetadata() throws SQLException {
    String rule =
        "CASE %s WHEN 'CASCADE' THEN 0 WHEN 'RESTRICT' THEN 1 WHEN 'SET NULL' THEN 2"
            + " WHEN 'NO ACTION' THEN 3 ELSE 4 END";
    assertEquals(
        lines(
            metadata.getImportedKeys(null, null, "ORDERS"),
            "FK_NAME",
            "FKTABLE_NAME",
            "FKCOLUMN_NAME",
            "KEY_SEQ",
            "PKTABLE_SCHEM",
            "PKTABLE_NAME",
            "PKCOLUMN_NAME",
            "PK_NAME",
            "UPDATE_RULE",
            "DELETE_RULE"),
        lines(
            "SELECT f.constraint_name, f.table_name AS child, f.column_name AS child_column,"
                + " f.ordinal_position, p.table_schema, p.table_name, p.column_name,"
                + " r.unique_constraint_name, "
                + rule.formatted("r.update_rule")
                + " AS u, "
                + rule.formatted("r.delete_rule")
                + " AS d"
                + " FROM information_schema.referential_constraints r"
                + " JOIN information_schema.key_column_usage f"
                + " ON f.constraint_schema = r.constraint_schema"
                + " AND f.constraint_name = r.constraint_name"
                + " JOIN information_schema.key_column_usage p"
                + " ON p.constraint_schema = r.unique_constraint_schema"
                + " AND p.constraint_name = r.unique_constraint_name"
                + " AND p.ordinal_position = f.position_in_unique_constraint",
            "CONSTRAINT_NAME",
            "CHILD",
            "CHILD_COLUMN",
            "ORDINAL_POSITION",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "COLUMN_NAME",
            "UNIQUE_CONSTRAINT_NAME",
            "U",
            "D"));
  }

  /** Reads all rows of all views; each row has a value for every column. */
  @Test
  void shouldReadAllViews() throws SQLException {
    List<String> views = new ArrayList<>();
    try (ResultSet rows = metadata.getTables(null, "INFORMATION\\_SCHEMA", null, null)) {
      while (rows.next()) {
        views.add(rows.getString("TABLE_NAME"));
      }
    }
    assertEquals(19, views.size(), views::toString);
    for (String view : views) {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT * FROM information_schema." + view)) {
        int last = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          Object _ = rows.getObject(last);
        }
      }
    }
  }
}
