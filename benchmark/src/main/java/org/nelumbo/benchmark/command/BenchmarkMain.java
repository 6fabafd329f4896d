package org.nelumbo.benchmark.command;

import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs one benchmark by name: the {@code bench} command of the launcher as a process of its own.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Runs a benchmark against any database with a JDBC driver.")
public final class BenchmarkMain implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a benchmark");
  }

  /** Creates the {@code bench} command with all benchmarks on the class path. */
  public static CommandLine commandLine() {
    CommandLine bench = new CommandLine(new BenchmarkMain());
    Benchmarks.addTo(bench);
    bench.addSubcommand(new CompareCommand());
    bench.addSubcommand(new DriversCommand());
    return bench;
  }

  /** Runs the command line and exits with one of {@link ExitStatus}. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }
}
