package org.nelumbo.cli;

import org.nelumbo.benchmark.Benchmarks;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code nelumbo bench}: one subcommand for each benchmark on the class path. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "BENCHMARK",
    description = "Runs a benchmark against Nelumbo or any database with a JDBC driver.")
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The command with all its benchmarks. */
  static CommandLine commandLine() {
    CommandLine bench = new CommandLine(new BenchCommand());
    Benchmarks.addTo(bench);
    return bench;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which benchmark?");
  }
}
