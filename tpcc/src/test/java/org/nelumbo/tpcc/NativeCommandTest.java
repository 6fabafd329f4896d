package org.nelumbo.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.LongerRuns;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.cli.ExitStatus;

/** TPC-C on our own engine, started by the command line: through SQL and through key operations. */
@Timeout(240)
class NativeCommandTest {
  private static final String HALF_A_SECOND = "--duration=500ms";

  private final TypedCommand tpcc =
      new TypedCommand("tpcc", "--compact", "--seed=11", "--warmup=100ms");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"native", "jdbc"})
  void shouldRunAndStayConsistent(String api) throws IOException {
    new LongerRuns(directory, tpcc)
        .until(LongerRuns.committing(1), 500, "--api=" + api, "--terminals=3", "--warehouses=2");
    assertTrue(tpcc.output().contains("after load: 12 of 12 checks hold"));
    assertTrue(tpcc.output().contains("after run: 13 of 13 checks hold"));
    String result = tpcc.lines("RESULT").getFirst();
    assertTrue(result.contains(" api=" + api + " "), result);
    assertTrue(result.contains(" consistent=true "), result);
    assertFalse(result.contains(" committed=0 "), result);
    assertEquals(api.equals("native"), tpcc.output().contains("deviation: native API"));
  }

  @Test
  void shouldRunUnderSnapshotIsolation() {
    int status = tpcc.run(HALF_A_SECOND, "--api=native", "--terminals=3", "--isolation=snapshot");
    assertEquals(ExitStatus.DONE, status, tpcc::toString);
    assertTrue(tpcc.output().contains(" consistent=true "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "jdbc"})
  void shouldReportCostPerTransactionType(String api) throws IOException {
    List<TypeCost> costs =
        new LongerRuns(directory, tpcc)
            .until(LongerRuns.counting(600), 1_000, "--api=" + api, "--counters")
            .costs();
    assertTrue(tpcc.output().contains("round trips"));
    assertEquals(5, costs.size());
    TypeCost newOrder = costs.getFirst();
    assertEquals("New-Order", newOrder.name());
    assertTrue(newOrder.transactions() > 0 && newOrder.writes() > 12, newOrder::toString);
    assertTrue(newOrder.reads() > 20 && newOrder.bytesIn() > 20 * 64, newOrder::toString);
    assertTrue(newOrder.roundTrips() < newOrder.reads() + newOrder.writes(), newOrder::toString);
    TypeCost orderStatus = costs.get(2);
    assertTrue(orderStatus.reads() > 0, orderStatus::toString);
    // It only reads, but one in a thousand removes rows that Delivery has deleted, with some 130
    // CASes.
    assertTrue(orderStatus.compareAndSwaps() < 0.9, orderStatus::toString);
    double latches = newOrder.compareAndSwaps(); // the tables of orders have no hash index
    assertTrue(latches > 2 && latches < 8, newOrder::toString);
  }

  @Test
  void shouldReportCostOnlyOnRequest() {
    assertEquals(ExitStatus.DONE, tpcc.run(HALF_A_SECOND, "--api=native"));
    assertFalse(tpcc.output().contains("round trips"));
    assertEquals(ExitStatus.USAGE, tpcc.run("--counters", "--url=jdbc:h2:mem:t"));
    assertTrue(tpcc.errors().contains("--counters is for jdbc:nelumbo: URLs"));
  }

  @Test
  void shouldRejectNativeApiOnOtherDatabases() {
    assertEquals(ExitStatus.USAGE, tpcc.run("--api=native", "--url=jdbc:h2:mem:t"));
    assertTrue(tpcc.errors().contains("--api native is for jdbc:nelumbo: URLs"));
  }

  @Test
  void shouldRefuseForeignKeysItWouldNotCheck() {
    assertEquals(ExitStatus.USAGE, tpcc.run("--api=native", "--foreign-keys"));
    assertTrue(tpcc.errors().contains("leave out --foreign-keys"));
  }
}
