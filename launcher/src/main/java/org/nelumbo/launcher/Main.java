package org.nelumbo.launcher;

import org.nelumbo.benchmark.command.BenchmarkMain;
import org.nelumbo.cli.NelumboCommand;
import org.nelumbo.simulation.scenario.SimCommand;
import org.nelumbo.soak.SoakCommand;
import org.nelumbo.sqlgen.SqlGeneratorCommand;
import org.nelumbo.sqlgen.corpus.CorpusCommand;
import picocli.CommandLine;

/**
 * The entry point of {@code ./nelumbo}: the {@linkplain NelumboCommand command line of the product}
 * with the benchmarks and the research tools.
 */
public final class Main {
  private Main() {}

  /** Runs one command line and ends the JVM with its exit status. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the whole command line without running a command. */
  public static CommandLine commandLine() {
    return NelumboCommand.commandLine()
        .addSubcommand(BenchmarkMain.commandLine().addSubcommand(new VerbsCommand()))
        .addSubcommand(new CommandLine(new SimCommand())) // adds subcommands of its own
        .addSubcommand(new SoakCommand())
        .addSubcommand(new SqlGeneratorCommand())
        .addSubcommand(new CorpusCommand())
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}
