package org.nelumbo.benchmark.command;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.benchmark.WorkloadFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The base class of a benchmark's command, with the options that all benchmarks share. A subclass
 * adds its own options, checks them, and runs its workload.
 */
public abstract class BenchmarkCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private BenchmarkOptions options;

  /** Creates a command whose options are set when a command line is parsed. */
  protected BenchmarkCommand() {}

  protected final BenchmarkOptions options() {
    return options;
  }

  /** Returns the settings of the terminals, derived from the shared options. */
  protected final TerminalSettings terminals() {
    return new TerminalSettings(
        options.api() == BenchmarkOptions.Api.NATIVE, options.counters(), options.seed());
  }

  /**
   * Checks a condition on the options.
   *
   * @throws ParameterException with this message if the condition does not hold (wrong usage)
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
