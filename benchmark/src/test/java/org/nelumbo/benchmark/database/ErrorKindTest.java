package org.nelumbo.benchmark.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorKindTest {
  @ParameterizedTest
  @CsvSource({
    "Nelumbo, 40001, 0, CONFLICT",
    "PostgreSQL, 40P01, 0, CONFLICT",
    "H2, 90131, 90131, CONFLICT",
    "H2, HYT00, 50200, CONFLICT",
    "H2, 40001, 40001, CONFLICT",
    "HSQL Database Engine, 40001, -4861, CONFLICT",
    "SQLite, , 5, CONFLICT",
    "H2, 23505, 23505, OTHER",
    "SQLite, , 19, OTHER",
    "PostgreSQL, , 5, OTHER",
    "Nelumbo, 40003, 0, UNKNOWN_OUTCOME",
    "Nelumbo, 08007, 0, UNKNOWN_OUTCOME",
    "Nelumbo, 08006, 0, CONNECTION_LOST",
    "Nelumbo, 42601, 0, OTHER"
  })
  void shouldClassify(String product, String state, int code, ErrorKind kind) {
    SQLException error = new SQLException("x", state, code);
    assertEquals(kind, ErrorKind.of(error, Dialect.ofProduct(product)));
  }

  @Test
  void shouldClassifyRollbackWithoutStateAsConflict() {
    SQLException error = new SQLTransactionRollbackException("x");
    assertEquals(ErrorKind.CONFLICT, ErrorKind.of(error, Dialect.ofProduct("Nelumbo")));
  }

  @Test
  void shouldLookIntoBatchErrorsAndCauses() {
    BatchUpdateException batch = new BatchUpdateException("x", null, new int[0]);
    batch.setNextException(new SQLException("conflict", "40001"));
    SQLException wrapped = new SQLException("wrapped", "HY000", batch);
    assertEquals(ErrorKind.CONFLICT, ErrorKind.of(wrapped, Dialect.ofProduct("H2")));
  }

  @Test
  void shouldEndOnACircleOfExceptions() {
    SQLException one = new SQLException("one");
    SQLException other = new SQLException("other", one);
    one.initCause(other);
    assertEquals(ErrorKind.OTHER, ErrorKind.of(one, Dialect.ofProduct("H2")));
  }
}
