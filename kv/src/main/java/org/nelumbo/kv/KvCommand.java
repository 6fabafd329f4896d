package org.nelumbo.kv;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.command.BenchmarkOptions;
import org.nelumbo.benchmark.command.BenchmarkRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of {@code nelumbo bench kv}. */
@Command(name = "kv", mixinStandardHelpOptions = true, sortOptions = false)
final class KvCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private BenchmarkOptions options;

  @Option(
      names = {"--keys", "--scale"},
      paramLabel = "N",
      defaultValue = "100000",
      description = "Keys; the paper has 20 million (default: ${DEFAULT-VALUE}).")
  private int keys;

  @Option(
      names = "--read-percent",
      paramLabel = "PERCENT",
      defaultValue = "50",
      description = "Transactions of a hundred that read (default: ${DEFAULT-VALUE}).")
  private int readPercent;

  @Option(
      names = "--uniform",
      description = "Draw all keys equally often (default: Zipfian, as in the paper).")
  private boolean uniform;

  @Option(
      names = "--theta",
      paramLabel = "X",
      defaultValue = "0.99",
      description = "Exponent of the Zipfian distribution (default: ${DEFAULT-VALUE}).")
  private double theta;

  @Override
  public Integer call() throws InterruptedException {
    if (keys < 1 || readPercent < 0 || readPercent > 100) {
      throw new ParameterException(
          spec.commandLine(), "--keys must be at least 1, --read-percent 0 to 100");
    }
    if (!(theta > 0) || theta == 1) {
      throw new ParameterException(spec.commandLine(), "--theta must be more than 0 and not 1");
    }
    KvSettings settings =
        new KvSettings(
            keys,
            readPercent,
            uniform,
            theta,
            options.api() == BenchmarkOptions.Api.NATIVE,
            options.counters(),
            options.seed());
    return new BenchmarkRunner(spec, options).run(database -> new KvWorkload(database, settings));
  }
}
