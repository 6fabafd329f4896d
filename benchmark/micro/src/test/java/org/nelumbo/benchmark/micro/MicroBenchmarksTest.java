package org.nelumbo.benchmark.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.benchmark.TypedCommand.number;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.cli.ExitStatus;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark briefly, so that all of them keep working. */
class MicroBenchmarksTest {
  @BeforeAll
  static void shareTheMachine() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  /** Returns options with few iterations of few milliseconds, in this process. */
  private static ChainedOptionsBuilder tiny(Class<?> benchmark) {
    return new OptionsBuilder()
        .include(benchmark.getName() + "\\.")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(2)
        .measurementTime(TimeValue.milliseconds(10))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        CvtRead.class,
        HotIndex.class,
        Indexes.class,
        Locks.class,
        PlanJoins.class,
        PlanRun.class,
        PointSelect.class,
        Prefetch.class,
        RawVerbs.class,
        RangeScan.class,
        RdmaRequests.class,
        RowAccess.class,
        RowCodec.class,
        RowInsert.class,
        SmallTransfer.class,
        SqlTransfer.class,
        Verbs.class
      })
  void shouldRun(Class<?> benchmark) throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                tiny(benchmark)
                    .param("rows", "10000")
                    .param("tables", "3")
                    .param("accounts", "1000")
                    .param("recorded", "1000")
                    .param("records", "20000")
                    .param("poolBytes", "65536")
                    .build())
            .run();
    long methods =
        Arrays.stream(benchmark.getMethods())
            .filter(method -> method.isAnnotationPresent(Benchmark.class))
            .count();
    assertTrue(results.size() >= methods && methods > 0, () -> "only " + results.size());
    for (RunResult result : results) {
      assertTrue(result.getPrimaryResult().getScore() > 0, () -> "no score of " + benchmark);
    }
  }

  @Test
  void shouldReplayTheVerbsOfATransaction() {
    RawVerbs raw = new RawVerbs();
    assertEquals(
        "READ 128, READ 128, flush, READ 56, READ 56, flush, READ 32, READ 32, flush,"
            + " WRITE 64, WRITE 32, WRITE 16, WRITE 56, flush, WRITE 8, WRITE 8, flush",
        raw.record(1_000, 1_000),
        "two rows read in three round trips, written in two");
    raw.close();
  }

  @Test
  void shouldHandOptionsToJmh() {
    TypedCommand micro = new TypedCommand("micro");
    assertEquals(ExitStatus.DONE, micro.run("--list", "Locks"));
    assertEquals(ExitStatus.USAGE, micro.run("Locks", "-nosuchoption"));
    assertTrue(micro.errors().startsWith("error: "), micro::errors);
    assertEquals(
        ExitStatus.DONE,
        micro.run("Locks.read$", "-f", "0", "-wi", "0", "-i", "1", "-r", "10ms", "-v", "SILENT"));
  }

  @Test
  void shouldBreakDownPoolMemoryPerRow() {
    TypedCommand memory = new TypedCommand("memory");
    assertEquals(ExitStatus.DONE, memory.run("--rows=20000", "--connections=0"));
    String line = memory.lines("MEMORY").getFirst();
    assertTrue(line.startsWith("MEMORY rows=20000 row_bytes=100 pool_bytes_per_row="), line);
    double total = number(line, "pool_bytes_per_row");
    double parts =
        List.of("record", "cvt", "hash_index", "ordered_index", "rest").stream()
            .mapToDouble(part -> number(line, part))
            .sum();
    assertEquals(total, parts, 1);
    assertTrue(number(line, "record") >= 116 && number(line, "cvt") >= 56, line);
    assertTrue(number(line, "hash_index") > 8 && number(line, "ordered_index") > 6, line);
    assertEquals(ExitStatus.USAGE, memory.run("--rows=0"));
  }
}
