package org.nelumbo.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command line of the product: the SQL prompt, memory nodes, compute nodes, backups and checks.
 * Each subcommand defines its exit status; wrong usage is always 2.
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
      HelpCommand.class
    })
public final class NelumboCommand implements Runnable {
  @Spec private CommandSpec spec;

  private NelumboCommand() {}

  /** Runs one command line and ends the JVM with its exit status. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line, to which other subcommands may be added before it runs. */
  public static CommandLine commandLine() {
    return new CommandLine(new NelumboCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(NelumboCommand::report);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command");
  }

  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult unusedResult) {
    PrintWriter err = command.getErr();
    err.println("nelumbo: internal error: " + failure);
    failure.printStackTrace(err);
    return command.getCommandSpec().exitCodeOnExecutionException();
  }
}
