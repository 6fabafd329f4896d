package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Values of other types that are stored in text columns. */
class AssignmentTest {
  private final Database database = Sql.memory();
  private final Sql sql = new Sql(database);

  @BeforeEach
  void create() {
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(3), c CHAR(3))",
        "INSERT INTO t VALUES (1, 'abc', 'x')",
        "CREATE TABLE u (id INTEGER PRIMARY KEY, d INTEGER, b BOOLEAN, n DECIMAL(6, 2), dt DATE)",
        "INSERT INTO u VALUES (1, 100000, TRUE, 1234.56, DATE '2024-01-02')",
        "CREATE TABLE d (id INTEGER, v VARCHAR(3) DEFAULT 12345)",
        "CREATE TABLE g (id INTEGER, v VARCHAR(3) GENERATED ALWAYS AS (id * 10000) STORED)",
        "CREATE VIEW w AS SELECT id, v FROM t",
        "CREATE TABLE p (k VARCHAR(10) PRIMARY KEY)",
        "CREATE TABLE q (k VARCHAR(2) REFERENCES p ON UPDATE CASCADE)",
        "INSERT INTO p VALUES ('ab')",
        "INSERT INTO q VALUES ('ab')");
  }

  @AfterEach
  void close() {
    sql.close();
    database.close();
  }

  /** PostgreSQL fails with 22001 in each of these cases. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t VALUES (2, 123456, 'x')",
        "INSERT INTO t VALUES (2, 12, 98765)",
        "INSERT INTO t VALUES (2, 12, 9), (3, 'a', 98765)",
        "INSERT INTO t VALUES (2, 12345 + 1, NULL), (3, NULL, 'a')",
        "INSERT INTO t VALUES (2, TRUE, 'a')",
        "INSERT INTO t VALUES (2, CURRENT_DATE, 'a')",
        "INSERT INTO t VALUES (2, 1.125, 'a')",
        "INSERT INTO t VALUES (2, (SELECT 12345), 'a')",
        "INSERT INTO t VALUES (2, UUID '12345678-1234-1234-1234-123456789012', 'a')",
        "INSERT INTO t VALUES (2, INTERVAL '5' DAY, 'a')",
        "INSERT INTO t (id, v) SELECT id + 1, id * 10000 FROM t",
        "INSERT INTO t (id, v) SELECT id + 1, d FROM u",
        "INSERT INTO t (id, v) SELECT id + 1, b FROM u",
        "INSERT INTO t (id, c) SELECT id + 1, n FROM u",
        "INSERT INTO t (id, v) SELECT id + 1, dt FROM u",
        "INSERT INTO t (id, v) SELECT 2, COALESCE(NULL, 12345)",
        "INSERT INTO t (id, v) WITH q (x) AS (SELECT d FROM u) SELECT 2, x FROM q",
        "INSERT INTO w VALUES (2, 12345)",
        "UPDATE t SET v = id * 10000",
        "UPDATE t SET c = DATE '2024-01-01'",
        "UPDATE t SET v = (SELECT d FROM u)",
        "UPDATE t SET (v, c) = (SELECT d, 'a' FROM u)",
        "UPDATE t SET v = u.d FROM u WHERE u.id = t.id",
        "UPDATE w SET v = 12345",
        "MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN UPDATE SET v = u.d",
        "MERGE INTO t USING u ON FALSE WHEN NOT MATCHED THEN INSERT VALUES (2, u.d, 'a')",
        "INSERT INTO t (id, v) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET v = 77777",
        "INSERT INTO t (id, v) VALUES (2, 77777) ON CONFLICT (id) DO NOTHING",
        "INSERT INTO d (id) VALUES (1)",
        "INSERT INTO d VALUES (1, DEFAULT)",
        "INSERT INTO g (id) VALUES (1)",
        "UPDATE p SET k = 12345",
        "CREATE TABLE x (v VARCHAR(3)) AS SELECT 12345",
      })
  void shouldRefuseAValueThatIsTooLongAsText(String statement) {
    NelumboException failure = assertThrows(NelumboException.class, () -> sql.update(statement));
    assertEquals(ErrorCode.STRING_TOO_LONG, failure.code());
    assertTrue(failure.getMessage().matches("value too long for column .* length=\\d+ value=.*"));
    assertEquals(List.of("1 abc x"), sql.query("SELECT id, v, TRIM(c) FROM t"));
    assertEquals(List.of("ab"), sql.query("SELECT * FROM q"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER COLUMN d TYPE VARCHAR(3)",
        "ALTER COLUMN d TYPE CHAR(5)",
        "ALTER COLUMN d TYPE VARCHAR(3) USING d * 10",
        "ALTER COLUMN n TYPE VARCHAR(3)",
        "ALTER COLUMN b TYPE VARCHAR(2)",
        "ALTER COLUMN dt TYPE VARCHAR(5)",
        "ADD COLUMN z VARCHAR(2) DEFAULT 4711",
        "ADD COLUMN z VARCHAR(2) GENERATED ALWAYS AS (d) STORED",
      })
  void shouldKeepTableIfValuesAreTooLongForNewType(String change) {
    assertFails(ErrorCode.STRING_TOO_LONG, () -> sql.update("ALTER TABLE u " + change));
    assertEquals(List.of("1 100000 true 1234.56 19724"), sql.query("SELECT * FROM u"));
    assertEquals(
        List.of("INTEGER, BOOLEAN, DECIMAL, DATE"),
        sql.query(
            "SELECT STRING_AGG(data_type, ', ' ORDER BY ordinal_position)"
                + " FROM INFORMATION_SCHEMA.COLUMNS"
                + " WHERE table_name = 'U' AND column_name <> 'ID'"));
  }

  /** The values have no common type; PostgreSQL fails with 42804 in each of these cases. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE k SET i = s.iv FROM k s WHERE s.id = k.id",
        "UPDATE k SET b = 7 FROM t WHERE t.id = k.id",
        "INSERT INTO k (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET b = 7",
        "INSERT INTO k (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET n = FALSE",
        "MERGE INTO k USING t ON k.id = t.id WHEN MATCHED THEN UPDATE SET b = t.id",
        "UPDATE k SET i = iv",
        "INSERT INTO k (id, i) SELECT 2, iv FROM k",
        "ALTER TABLE k ALTER COLUMN iv TYPE INTEGER",
        "ALTER TABLE k ALTER COLUMN b TYPE DECIMAL(4, 1)",
      })
  void shouldRejectValuesOfIncompatibleTypes(String statement) {
    sql.run(
        "CREATE TABLE k (id INTEGER PRIMARY KEY, i INTEGER, b BOOLEAN, n DECIMAL(4, 1),"
            + " iv INTERVAL DAY TO SECOND)",
        "INSERT INTO k VALUES (1, 2, FALSE, 3, INTERVAL '1' SECOND)");
    assertFails(ErrorCode.TYPE_MISMATCH, () -> sql.update(statement));
    assertEquals(List.of("1 2 false 3.0"), sql.query("SELECT id, i, b, n FROM k"));
  }

  @Test
  void shouldStoreValuesThatFitAsText() {
    sql.run(
        "INSERT INTO t VALUES (2, 123, 1.5), (3, NULL, DATE '2024-01-01' - DATE '2023-12-31')",
        "INSERT INTO t VALUES (4, 'ab    ', 'abc   '), (5, 7, NULL), (6, UPPER('a'), 1 + 1)",
        "UPDATE t SET v = id * 100 WHERE id = 1",
        "ALTER TABLE u ALTER COLUMN d TYPE VARCHAR(6)");
    assertEquals(
        List.of("1 100 x", "2 123 1.5", "3 null 1", "4 ab  abc", "5 7 null", "6 A 2"),
        sql.query("SELECT id, v, TRIM(c) FROM t ORDER BY id"));
    assertEquals(List.of("100000"), sql.query("SELECT d FROM u"));
  }

  /** CAST truncates only text, as the standard requires; PostgreSQL truncates other types, too. */
  @Test
  void shouldCutTextOnlyInACast() {
    assertEquals(List.of("123"), sql.query("SELECT CAST('12345' AS VARCHAR(3))"));
    assertFails(ErrorCode.STRING_TOO_LONG, () -> sql.query("SELECT CAST(12345 AS VARCHAR(3))"));
    sql.update("UPDATE t SET v = CAST('12345' AS VARCHAR(3))");
    assertEquals(List.of("123"), sql.query("SELECT v FROM t"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CAST('a ' AS CHAR(3)) = 'a'",
        "CAST('a ' AS CHAR(3)) = 'a  '",
        "'a' = CAST('a ' AS CHAR(3))",
        "CAST('a ' AS CHAR(3)) = CAST('a' AS CHAR(1))",
        "CAST('a ' AS CHAR(3)) IN ('a', 'b')",
        "'a' IN (CAST('a ' AS CHAR(3)), CAST('b' AS CHAR(2)))",
        "CAST('a ' AS CHAR(3)) BETWEEN 'a' AND 'a'",
        "CAST('a ' AS CHAR(3)) IS NOT DISTINCT FROM 'a'",
        "NOT CAST('a ' AS CHAR(3)) <> 'a'",
        "NULLIF(CAST('a ' AS CHAR(3)), 'a') IS NULL",
        "CASE CAST('a ' AS CHAR(3)) WHEN 'a' THEN TRUE ELSE FALSE END",
        "NOT 'a' = 'a '",
        "NOT CAST('a ' AS VARCHAR(3)) = 'a'",
      })
  void shouldIgnoreBlanksAtTheEndOfCharConstants(String condition) {
    assertEquals(List.of("true"), sql.query("SELECT " + condition));
  }
}
