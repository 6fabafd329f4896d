package org.nelumbo.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.database.MemoryDatabase;
import org.nelumbo.benchmark.run.Terminal;

/** Damages values and proves that the checks and readers of the value detect it. */
class KvChecksTest {
  private MemoryDatabase memory;

  @BeforeEach
  void open() throws SQLException {
    memory = new MemoryDatabase("jdbc:nelumbo:mem:NAME?memory=256m");
  }

  @AfterEach
  void close() throws SQLException {
    memory.close();
  }

  private KvWorkload load(boolean nativeApi) throws SQLException, InterruptedException {
    KvWorkload workload =
        new KvWorkload(
            memory.database(),
            new KvSettings(100, 50, false, 0.99, new TerminalSettings(nativeApi, false, 7)));
    workload.load(LoadProgress.NONE);
    return workload;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE kv SET owner = 8 WHERE k = 7 | every value carries its key",
        "UPDATE kv SET counter = 8 WHERE k = 7 | every value is whole",
        "UPDATE kv SET copy3 = 8 WHERE k = 7 | every value is whole",
        "DELETE FROM kv WHERE k = 7 | no key came or went",
        "UPDATE kv SET k = 100, owner = 100 WHERE k = 99 | no key came or went"
      })
  void shouldReportBrokenValues(String damage, String condition) throws Exception {
    KvWorkload workload = load(false);
    assertTrue(workload.checkAfterLoad().stream().allMatch(CheckResult::passed));
    memory.change(damage);
    List<String> broken =
        workload.checkAfterLoad().stream()
            .filter(result -> !result.passed())
            .map(CheckResult::name)
            .toList();
    assertEquals(List.of(condition), broken);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldNoticeATornValueWhenItIsRead(boolean nativeApi) throws Exception {
    KvWorkload workload = load(nativeApi);
    memory.change("UPDATE kv SET copy2 = counter + 1");
    try (Connection connection = memory.database().connect();
        Terminal terminal = workload.open(connection, 0, 0)) {
      int type = terminal.draw();
      while (type != 0) {
        type = terminal.draw();
      }
      Exception e = assertThrows(Exception.class, terminal::execute);
      assertTrue(e.getMessage().startsWith("torn or foreign value: k="), e::toString);
    }
  }

  @Test
  void shouldCountEachUpdate() throws Exception {
    KvWorkload workload = load(true);
    int updates = 0;
    try (Connection connection = memory.database().connect();
        Terminal terminal = workload.open(connection, 0, 0)) {
      for (int i = 0; i < 200; i++) {
        updates += terminal.draw();
        terminal.execute();
      }
    }
    assertEquals(100, updates);
    try (Connection connection = memory.database().connect();
        Statement statement = connection.createStatement();
        var row = statement.executeQuery("SELECT SUM(counter), SUM(copy3) FROM kv")) {
      row.next();
      assertEquals(100, row.getLong(1));
      assertEquals(100, row.getLong(2));
    }
  }
}
