package org.nelumbo.tatp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.tatp.terminal.TransactionType;

/** Only an insert may fail with an error, and only with one of two errors. */
class AllowedErrorsTest {
  private static final int INSERT = TransactionType.INSERT_CALL_FORWARDING.ordinal();

  @ParameterizedTest
  @CsvSource({
    "jdbc:nelumbo:mem:NAME?memory=256m",
    "jdbc:h2:mem:NAME",
    "jdbc:hsqldb:mem:NAME",
    "jdbc:sqlite:file:NAME?mode=memory&cache=shared"
  })
  void shouldAllowDuplicatesAndOrphansOnly(String url) throws Exception {
    try (TestRegister register = new TestRegister(url)) {
      TatpWorkload workload =
          new TatpWorkload(
              register.database(),
              new TatpSettings(200, false, new TerminalSettings(false, false, 1)));
      String present = register.rows("SELECT * FROM call_forwarding").getFirst();
      List<String> key = List.of(present.split("\\|", -1));
      String insert = "INSERT INTO call_forwarding VALUES (";
      SQLException duplicate =
          failure(
              register, insert + key.get(0) + ", " + key.get(1) + ", " + key.get(2) + ", 1, 'x')");
      SQLException orphan = failure(register, insert + "7, 9, 0, 1, 'x')");
      SQLException other = failure(register, insert + "nonsense)");
      for (int type = 0; type < TransactionType.values().length; type++) {
        assertEquals(type == INSERT, workload.allows(type, duplicate), duplicate::toString);
        assertEquals(type == INSERT, workload.allows(type, orphan), orphan::toString);
        assertFalse(workload.allows(type, other), other::toString);
      }
    }
  }

  @Test
  void shouldNotAllowConflicts() throws Exception {
    try (TestRegister register = new TestRegister("jdbc:h2:mem:NAME")) {
      TatpWorkload workload =
          new TatpWorkload(
              register.database(),
              new TatpSettings(200, false, new TerminalSettings(false, false, 1)));
      assertFalse(workload.allows(INSERT, new SQLException("conflict", "40001")));
    }
  }

  private static SQLException failure(TestRegister register, String sql) {
    try {
      register.change(sql);
    } catch (SQLException e) {
      return e;
    }
    throw new AssertionError("should fail: " + sql);
  }
}
