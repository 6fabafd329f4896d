package org.nelumbo.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.database.DriverFinder;
import org.nelumbo.benchmark.database.IsolationLevel;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.run.Terminal;
import org.nelumbo.ycsb.terminal.CoreWorkload;

/** Both ways to the engine leave the same records, and the check finds those that are broken. */
class YcsbWorkloadTest {
  private static final int RECORDS = 200;

  private static Database open(String name) throws SQLException {
    return Database.open(
        new DatabaseUrl("jdbc:nelumbo:mem:ycsb_" + name + "?memory=256m"),
        new DriverFinder(List.of()),
        new Properties(),
        IsolationLevel.SERIALIZABLE);
  }

  private static YcsbWorkload load(Database database, CoreWorkload workload, boolean nativeApi)
      throws SQLException, InterruptedException {
    YcsbSettings settings =
        new YcsbSettings(workload, RECORDS, false, 0.99, 20, nativeApi, false, 7);
    YcsbWorkload result = new YcsbWorkload(database, settings);
    result.load(LoadProgress.NONE);
    return result;
  }

  @ParameterizedTest
  @EnumSource
  void shouldLeaveTheRecordsThatSqlLeaves(CoreWorkload workload) throws Exception {
    try (Database bySql = open("sql");
        Database byKeys = open("keys")) {
      YcsbWorkload sql = load(bySql, workload, false);
      YcsbWorkload keys = load(byKeys, workload, true);
      run(bySql, sql);
      run(byKeys, keys);
      List<String> expected = records(bySql);
      assertTrue(expected.size() >= RECORDS);
      assertEquals(expected, records(byKeys));
    }
  }

  private static void run(Database database, YcsbWorkload workload) throws SQLException {
    try (Connection connection = database.connect();
        Terminal terminal = workload.open(connection, 0, 0)) {
      for (int i = 0; i < 400; i++) {
        terminal.draw();
        assertEquals(Outcome.COMMITTED, terminal.execute());
      }
    }
  }

  private static List<String> records(Database database) throws SQLException {
    List<String> records = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM usertable ORDER BY ycsb_key")) {
      while (rows.next()) {
        records.add(rows.getString(1) + rows.getString(2) + rows.getString(11));
      }
    }
    return records;
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
    try (Database database = open("broken")) {
      YcsbWorkload workload = load(database, CoreWorkload.A, false);
      assertTrue(workload.checkAfterLoad().stream().allMatch(CheckResult::passed));
      String others = "'user' || SUBSTRING(field3 FROM 1 FOR 96)";
      String key = "(SELECT MIN(ycsb_key) FROM usertable)";
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        assertEquals(
            1, statement.executeUpdate(damage.replace("OTHERS", others).replace("KEY", key)));
        connection.commit();
      }
      List<CheckResult> broken =
          workload.checkAfterLoad().stream().filter(result -> !result.passed()).toList();
      assertEquals(1, broken.size());
      assertTrue(broken.getFirst().name().startsWith(condition), broken::toString);
    }
  }
}
