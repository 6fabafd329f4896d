package org.nelumbo.smallbank;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.benchmark.LongerRuns;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.cli.ExitStatus;

/** The command with the arguments of a user. */
@Timeout(240)
class SmallBankCommandTest {
  private final TypedCommand smallbank =
      new TypedCommand("smallbank", "--seed=11", "--warmup=30ms", "--accounts=1000");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "jdbc:nelumbo:mem:s, --api=jdbc",
    "jdbc:nelumbo:mem:s, --api=native",
    "jdbc:nelumbo:mem:s, --isolation=snapshot",
    "jdbc:h2:mem:s, --api=jdbc",
    "jdbc:hsqldb:mem:s;hsqldb.tx=mvcc, --api=jdbc",
    "jdbc:sqlite:DIRECTORY/s.db, --api=jdbc"
  })
  void shouldRunAndStayConsistent(String url, String option) throws IOException {
    RunResult result =
        new LongerRuns(directory, smallbank)
            .until(LongerRuns.committing(1), 150, "--url=" + url, option, "--terminals=3");
    assertTrue(smallbank.output().contains("after load: 4 of 4 checks hold"));
    assertTrue(smallbank.output().contains("after run: 4 of 4 checks hold"));
    assertTrue(result.total().committed() > 0);
    assertEquals(6, result.types().size());
    assertEquals("full", result.parameters().get("variant"));
    assertFalse(result.deviations().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"jdbc:nelumbo:mem:c, jdbc", "jdbc:nelumbo:mem:c, native", "jdbc:h2:mem:c, jdbc"})
  void shouldLabelThePrototypesVariant(String url, String api) {
    int status =
        smallbank.run(
            "--duration=150ms", "--url=" + url, "--api=" + api, "--compat", "--terminals=2");
    assertEquals(ExitStatus.DONE, status, smallbank::toString);
    assertTrue(smallbank.output().contains("after run: 4 of 4 checks hold"));
    assertTrue(smallbank.output().contains("smallbank-compat on "), smallbank::output);
    assertTrue(smallbank.output().contains("deviation: COMPAT"));
    assertTrue(smallbank.output().contains(" variant=compat"));
  }

  @ParameterizedTest
  @CsvSource({"native, 3", "jdbc, 4"})
  void shouldReportCostPerTransactionType(String api, double balanceRoundTripsMost)
      throws IOException {
    List<TypeCost> costs =
        new LongerRuns(directory, smallbank)
            .until(LongerRuns.counting(50), 150, "--api=" + api, "--counters", "--accounts=100")
            .costs();
    TypeCost balance = costs.get(1);
    assertEquals("Balance", balance.name());
    assertEquals(0, balance.writes(), 0.5, "it reads only");
    assertTrue(balance.roundTrips() > 1 && balance.roundTrips() < 3 * balanceRoundTripsMost);
    TypeCost deposit = costs.get(2);
    assertTrue(deposit.writes() >= 3, deposit::toString);
  }

  @Test
  void shouldRefuseSettingsThatMakeNoSense() {
    assertEquals(ExitStatus.USAGE, smallbank.run("--accounts=1"));
    assertEquals(ExitStatus.USAGE, smallbank.run("--hot-accounts=2000"));
    assertEquals(ExitStatus.USAGE, smallbank.run("--hot-probability=101"));
    assertTrue(smallbank.errors().contains("--hot-probability must be 0 to 100"));
  }
}
