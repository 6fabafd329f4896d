package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The one-jar driver in a class loader that has only the JDK. */
class OneJarIT {
  private static final Path JAR = Path.of(System.getProperty("nelumbo.oneJar"));

  @Test
  void shouldHoldOnlyNamesOfItsOwn() throws IOException {
    List<String> foreign = new ArrayList<>();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        String name = entry.getName();
        if (!entry.isDirectory() && !name.startsWith("org/nelumbo/") && !isOwnMetadata(name)) {
          foreign.add(name);
        }
      }
    }
    assertEquals(List.of(), foreign);
  }

  /** On an older Java release, classes that it can load report that the release is too old. */
  @Test
  void shouldHoldADriverAndAMainClassForJava8() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      String main = manifest.getValue(Attributes.Name.MAIN_CLASS);
      assertEquals("ALL-UNNAMED", manifest.getValue("Enable-Native-Access"));
      for (String name : List.of("org.nelumbo.jdbc.NelumboDriver", main)) {
        JarEntry entry = jar.getJarEntry(name.replace('.', '/') + ".class");
        try (DataInputStream bytes = new DataInputStream(jar.getInputStream(entry))) {
          bytes.skipNBytes(6);
          assertEquals(52, bytes.readUnsignedShort(), name);
        }
      }
    }
  }

  @Test
  void shouldPrintUsage() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process = new ProcessBuilder(java, "-jar", JAR.toString()).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    assertTrue(said.contains("jdbc:nelumbo:mem:NAME"), said);
  }

  @Test
  void shouldAnnounceOneDriver() throws IOException {
    try (URLClassLoader loader = loader()) {
      List<String> drivers =
          ServiceLoader.load(Driver.class, loader).stream()
              .filter(provider -> provider.type().getClassLoader() == loader)
              .map(provider -> provider.type().getName())
              .toList();
      assertEquals(List.of("org.nelumbo.jdbc.NelumboDriver"), drivers);
    }
  }

  @Test
  void shouldRunStatements() throws Exception {
    try (URLClassLoader loader = loader();
        Connection connection = connect(loader);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE item (id INT PRIMARY KEY, kind VARCHAR(10), price DECIMAL(8, 2))");
      statement.execute("CREATE TABLE kind (name VARCHAR(10) PRIMARY KEY, tax DECIMAL(4, 2))");
      assertEquals(2, statement.executeUpdate("INSERT INTO kind VALUES ('a', 0.10), ('b', 0.20)"));
      assertEquals(
          3,
          statement.executeUpdate("INSERT INTO item VALUES (1, 'a', 1), (2, 'a', 2), (3, 'b', 4)"));
      String sql =
          """
          SELECT k.name, COUNT(*), SUM(i.price * k.tax)
          FROM item i JOIN kind k ON i.kind = k.name
          WHERE i.id BETWEEN 1 AND 10 GROUP BY k.name HAVING COUNT(*) > 0 ORDER BY 3 DESC\
          """;
      try (ResultSet rows = statement.executeQuery(sql)) {
        assertRow(rows, "b", 1, "0.8000");
        assertRow(rows, "a", 2, "0.3000");
        assertFalse(rows.next());
      }
    }
  }

  @Test
  void shouldRunTransactionsWithParameters() throws Exception {
    try (URLClassLoader loader = loader();
        Connection connection = connect(loader);
        Statement ddl = connection.createStatement()) {
      ddl.execute("CREATE TABLE account (id BIGINT PRIMARY KEY, balance DECIMAL(12, 2) NOT NULL)");
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO account VALUES (?, ?)")) {
        for (int id = 0; id < 10; id++) {
          insert.setLong(1, id);
          insert.setBigDecimal(2, new BigDecimal("1.50"));
          insert.addBatch();
        }
        assertEquals(10, insert.executeBatch().length);
      }
      connection.commit();
      assertEquals(10, ddl.executeUpdate("DELETE FROM account"));
      connection.rollback();
      assertEquals("15.00", only(ddl, "SELECT SUM(balance) FROM account"));
      assertEquals(
          "23505",
          assertThrows(
                  SQLIntegrityConstraintViolationException.class,
                  () -> ddl.executeUpdate("INSERT INTO account VALUES (1, 1)"))
              .getSQLState());
      connection.rollback();
    }
  }

  @Test
  void shouldDescribeTables() throws Exception {
    try (URLClassLoader loader = loader();
        Connection connection = connect(loader);
        Statement ddl = connection.createStatement()) {
      ddl.execute("CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(10))");
      ddl.execute("CREATE INDEX by_name ON item (name)");
      DatabaseMetaData metadata = connection.getMetaData();
      assertEquals("Nelumbo", metadata.getDatabaseProductName());
      try (ResultSet columns = metadata.getColumns(null, "PUBLIC", "ITEM", "%")) {
        assertTrue(columns.next());
        assertEquals("ID", columns.getString("COLUMN_NAME"));
        assertTrue(columns.next());
        assertEquals("VARCHAR", columns.getString("TYPE_NAME"));
        assertFalse(columns.next());
      }
      assertTrue(only(ddl, "EXPLAIN PLAN FOR SELECT name FROM item WHERE id = 1").contains("ITEM"));
      assertEquals("1", only(ddl, "SELECT COUNT(*) FROM sys.tables WHERE table_name = 'ITEM'"));
    }
  }

  /** A library that warns about a missing logging binding would write to the error stream. */
  @Test
  void shouldWriteNothingToTheErrorStream() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try (URLClassLoader loader = loader();
        Connection connection = connect(loader);
        Statement statement = connection.createStatement()) {
      only(statement, "SELECT COUNT(*) FROM sys.tables");
    } finally {
      System.setErr(before);
    }
    assertEquals("", written.toString(StandardCharsets.UTF_8));
  }

  private static String only(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next());
      return rows.getString(1);
    }
  }

  private static void assertRow(ResultSet rows, String kind, int count, String tax)
      throws SQLException {
    assertTrue(rows.next());
    assertEquals(kind, rows.getString(1));
    assertEquals(count, rows.getInt(2));
    assertEquals(tax, rows.getBigDecimal(3).toPlainString());
  }

  private static Connection connect(ClassLoader loader) throws Exception {
    Driver driver =
        (Driver)
            loader
                .loadClass("org.nelumbo.jdbc.NelumboDriver")
                .getDeclaredConstructor()
                .newInstance();
    return driver.connect("jdbc:nelumbo:mem:", new Properties());
  }

  private static URLClassLoader loader() throws IOException {
    return new URLClassLoader(
        new URL[] {JAR.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }

  private static boolean isOwnMetadata(String name) {
    return name.equals("META-INF/MANIFEST.MF")
        || name.equals("META-INF/LICENSE")
        || name.equals("META-INF/NOTICE")
        || name.startsWith("META-INF/FastDoubleParser-") // licences to include
        || name.equals("META-INF/thirdparty-LICENSE")
        || name.equals("META-INF/services/java.sql.Driver")
        || name.startsWith("META-INF/services/org.nelumbo.");
  }
}
