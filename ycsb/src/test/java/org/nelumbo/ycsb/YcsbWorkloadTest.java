package org.nelumbo.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.database.MemoryDatabase;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.run.Terminal;
import org.nelumbo.ycsb.terminal.CoreWorkload;

/**
 * Proves that both interfaces of the engine leave the same records, and that the check finds
 * damaged ones.
 */
class YcsbWorkloadTest {
  private static final String URL = "jdbc:nelumbo:mem:NAME?memory=256m";
  private static final int RECORDS = 200;

  private static YcsbWorkload load(
      MemoryDatabase database, CoreWorkload workload, boolean nativeApi)
      throws SQLException, InterruptedException {
    YcsbSettings settings =
        new YcsbSettings(
            workload, RECORDS, false, 0.99, 20, new TerminalSettings(nativeApi, false, 7));
    YcsbWorkload result = new YcsbWorkload(database.database(), settings);
    result.load(LoadProgress.NONE);
    return result;
  }

  @ParameterizedTest
  @EnumSource
  void shouldLeaveSameRecordsAsSql(CoreWorkload workload) throws Exception {
    try (MemoryDatabase bySql = new MemoryDatabase(URL);
        MemoryDatabase byKeys = new MemoryDatabase(URL)) {
      YcsbWorkload sql = load(bySql, workload, false);
      YcsbWorkload keys = load(byKeys, workload, true);
      run(bySql, sql);
      run(byKeys, keys);
      List<String> expected = records(bySql);
      assertTrue(expected.size() >= RECORDS);
      assertEquals(expected, records(byKeys));
    }
  }

  private static void run(MemoryDatabase database, YcsbWorkload workload) throws SQLException {
    try (Connection connection = database.database().connect();
        Terminal terminal = workload.open(connection, 0, 0)) {
      for (int i = 0; i < 400; i++) {
        terminal.draw();
        assertEquals(Outcome.COMMITTED, terminal.execute());
      }
    }
  }

  private static List<String> records(MemoryDatabase database) throws SQLException {
    return database.rows("SELECT * FROM usertable ORDER BY ycsb_key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE usertable SET field3 = OTHERS WHERE ycsb_key = KEY | every field is whole",
        "UPDATE usertable SET field9 = 'short' WHERE ycsb_key = KEY | every field is whole",
        "DELETE FROM usertable WHERE ycsb_key = KEY | ledger: records"
      })
  void shouldReportBrokenRecords(String damage, String condition) throws Exception {
    try (MemoryDatabase database = new MemoryDatabase(URL)) {
      YcsbWorkload workload = load(database, CoreWorkload.A, false);
      assertTrue(workload.checkAfterLoad().stream().allMatch(CheckResult::passed));
      String others = "'user' || SUBSTRING(field3 FROM 1 FOR 96)";
      String key = "(SELECT MIN(ycsb_key) FROM usertable)";
      assertEquals(1, database.change(damage.replace("OTHERS", others).replace("KEY", key)));
      List<CheckResult> broken =
          workload.checkAfterLoad().stream().filter(result -> !result.passed()).toList();
      assertEquals(1, broken.size());
      assertTrue(broken.getFirst().name().startsWith(condition), broken::toString);
    }
  }
}
