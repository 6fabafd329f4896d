package org.nelumbo.benchmark;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.command.BenchmarkOptions;
import org.nelumbo.benchmark.command.BenchmarkRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A benchmark for tests: terminals increment counters in one table. */
public final class CounterBenchmark implements Benchmark {
  @Override
  public String name() {
    return "counter";
  }

  @Override
  public String description() {
    return "Counts.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new CounterCommand();
  }

  @Command(mixinStandardHelpOptions = true)
  private static final class CounterCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private BenchmarkOptions options;

    @Option(names = "--broken", description = "Let the check after the run fail.")
    private boolean broken;

    @Option(names = "--bad-sql", description = "Let the terminals send bad SQL.")
    private boolean badSql;

    @Option(names = "--hang", description = "Never come to an end of loading.")
    private boolean hang;

    @Override
    public Integer call() throws InterruptedException {
      return new BenchmarkRunner(spec, options)
          .run(database -> new CounterWorkload(database, broken, badSql, hang));
    }
  }
}
