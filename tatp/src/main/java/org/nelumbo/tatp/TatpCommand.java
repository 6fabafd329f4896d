package org.nelumbo.tatp;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.command.BenchmarkOptions;
import org.nelumbo.benchmark.command.BenchmarkRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of {@code nelumbo bench tatp}. */
@Command(name = "tatp", mixinStandardHelpOptions = true, sortOptions = false)
final class TatpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private BenchmarkOptions options;

  @Option(
      names = {"--subscribers", "--scale"},
      paramLabel = "N",
      defaultValue = "100000",
      description = "Subscribers, with about nine other rows each (default: ${DEFAULT-VALUE}).")
  private int subscribers;

  @Option(
      names = "--uniform",
      description =
          "Draw all subscribers equally often (default: skewed, as the specification is).")
  private boolean uniform;

  @Override
  public Integer call() throws InterruptedException {
    if (subscribers < 1) {
      throw new ParameterException(spec.commandLine(), "--subscribers must be at least 1");
    }
    TatpSettings settings =
        new TatpSettings(
            subscribers,
            uniform,
            options.api() == BenchmarkOptions.Api.NATIVE,
            options.counters(),
            options.seed());
    return new BenchmarkRunner(spec, options).run(database -> new TatpWorkload(database, settings));
  }
}
