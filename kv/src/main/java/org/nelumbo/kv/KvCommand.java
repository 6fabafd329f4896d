package org.nelumbo.kv;

import org.nelumbo.benchmark.command.BenchmarkCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code nelumbo bench kv}. */
@Command(name = "kv", mixinStandardHelpOptions = true, sortOptions = false)
final class KvCommand extends BenchmarkCommand {
  @Option(
      names = {"--keys", "--scale"},
      paramLabel = "N",
      defaultValue = "100000",
      description = "Keys to load; the paper has 20 million (default: ${DEFAULT-VALUE}).")
  private int keys;

  @Option(
      names = "--read-percent",
      paramLabel = "PERCENT",
      defaultValue = "50",
      description = "Percentage of transactions that read (default: ${DEFAULT-VALUE}).")
  private int readPercent;

  @Option(
      names = "--uniform",
      description = "Draw keys uniformly (default: Zipfian, as in the paper).")
  private boolean uniform;

  @Option(
      names = "--theta",
      paramLabel = "X",
      defaultValue = "0.99",
      description = "Exponent of the Zipfian distribution (default: ${DEFAULT-VALUE}).")
  private double theta;

  @Override
  public Integer call() throws InterruptedException {
    require(
        keys >= 1 && readPercent >= 0 && readPercent <= 100,
        "--keys must be at least 1, --read-percent 0 to 100");
    require(theta > 0 && theta != 1, "--theta must be more than 0 and not 1");
    KvSettings settings = new KvSettings(keys, readPercent, uniform, theta, terminals());
    return run(database -> new KvWorkload(database, settings));
  }
}
