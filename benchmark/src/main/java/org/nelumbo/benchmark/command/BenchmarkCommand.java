package org.nelumbo.benchmark.command;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.benchmark.WorkloadFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command of a benchmark: the options that all share. A benchmark adds its own, checks them,
 * and runs its workload.
 */
public abstract class BenchmarkCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private BenchmarkOptions options;

  /** A command whose options are filled when a command line is read. */
  protected BenchmarkCommand() {}

  /** The options that all benchmarks share. */
  protected final BenchmarkOptions options() {
    return options;
  }

  /** How terminals work, by the shared options. */
  protected final TerminalSettings terminals() {
    return new TerminalSettings(
        options.api() == BenchmarkOptions.Api.NATIVE, options.counters(), options.seed());
  }

  /**
   * Checks a condition on the options.
   *
   * @throws ParameterException with that message if it does not hold: wrong usage
   */
  protected final void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  /** Runs a workload on the databases of the command line, and returns the exit status. */
  protected final int run(WorkloadFactory workloads) throws InterruptedException {
    return new BenchmarkRunner(spec, options).run(workloads);
  }
}
