package org.nelumbo.launcher;

import java.io.PrintWriter;
import org.nelumbo.benchmark.command.BenchmarkMain;
import org.nelumbo.simulation.scenario.SimCommand;
import org.nelumbo.soak.SoakCommand;
import org.nelumbo.sqlgen.SqlGeneratorCommand;
import org.nelumbo.sqlgen.corpus.CorpusCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The entry point of {@code ./nelumbo}. The exit status is that of the subcommand; wrong usage is 2
 * everywhere.
 */
@Command(
    name = "nelumbo",
    description = "A SQL transaction engine on disaggregated memory.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    subcommands = {
      SqlCommand.class,
      MemoryNodeCommand.class,
      ComputeNodeCommand.class,
      InitCommand.class,
      StatusCommand.class,
      ShardsCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      CheckCommand.class,
      SalvageCommand.class,
      SimCommand.class,
      SoakCommand.class,
      SqlGeneratorCommand.class,
      CorpusCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  private Main() {}

  /** Runs one command line and ends the JVM with its exit status. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The whole command line, without having run anything. */
  static CommandLine commandLine() {
    CommandLine root = new CommandLine(new Main());
    root.addSubcommand(BenchmarkMain.commandLine().addSubcommand(new VerbsCommand()));
    return root.setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Main::report);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult unusedResult) {
    PrintWriter err = command.getErr();
    err.println("nelumbo: this should not have happened: " + failure);
    failure.printStackTrace(err);
    return command.getCommandSpec().exitCodeOnExecutionException();
  }
}
