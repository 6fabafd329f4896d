package org.nelumbo.tatp;

import org.nelumbo.benchmark.command.BenchmarkCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code nelumbo bench tatp}. */
@Command(name = "tatp", mixinStandardHelpOptions = true, sortOptions = false)
final class TatpCommand extends BenchmarkCommand {
  @Option(
      names = {"--subscribers", "--scale"},
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "Subscribers to load, each with about nine other rows (default: ${DEFAULT-VALUE}).")
  private int subscribers;

  @Option(
      names = "--uniform",
      description = "Draw subscribers uniformly (default: skewed, as in the specification).")
  private boolean uniform;

  @Override
  public Integer call() throws InterruptedException {
    require(subscribers >= 1, "--subscribers must be at least 1");
    TatpSettings settings = new TatpSettings(subscribers, uniform, terminals());
    return run(database -> new TatpWorkload(database, settings));
  }
}
