package org.nelumbo.benchmark.micro;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.nelumbo.cli.ExitStatus;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code nelumbo bench micro [PATTERN] [JMH options]}. All arguments except {@code
 * --help} and {@code --list} are passed to JMH unchanged.
 */
@Command(
    name = "micro",
    footer = {
      "",
      "All other options are passed to JMH, for example -prof gc, -f 1, -wi 5, -i 5, -p"
          + " rows=10000000.",
      "JMH prints its results to standard output."
    })
final class MicroCommand implements Callable<Integer> {
  private CommandSpec spec;

  @Option(names = "--help", usageHelp = true, description = "Print this text.")
  @SuppressWarnings("UnusedVariable") // used by picocli
  private boolean help;

  @Option(names = "--list", description = "List the benchmarks and their parameters.")
  private boolean list;

  @Parameters(
      paramLabel = "PATTERN|OPTION",
      description = "Regular expressions for benchmark names, and options of JMH.")
  private List<String> arguments = new ArrayList<>();

  @Spec
  void setSpec(CommandSpec commandSpec) {
    spec = commandSpec;
    spec.parser().unmatchedOptionsArePositionalParams(true);
  }

  @Override
  public Integer call() {
    try {
      CommandLineOptions given = new CommandLineOptions(arguments.toArray(String[]::new));
      Runner runner = new Runner(withJvmArguments(given));
      if (list) {
        runner.listWithParams(given);
      } else {
        runner.run();
      }
      return ExitStatus.DONE;
    } catch (CommandLineOptionException e) {
      return failed(e, ExitStatus.USAGE);
    } catch (RunnerException e) {
      return failed(e, ExitStatus.FAILED);
    }
  }

  /**
   * Passes the JVM options of this process to the measuring processes, unless the user gives
   * others. The AOT cache is excluded: it comes from a short training run, whose profiles would
   * affect the compiler.
   */
  private static Options withJvmArguments(CommandLineOptions given) {
    if (given.getJvmArgs().hasValue()) {
      return given;
    }
    String[] own =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> !argument.startsWith("-XX:AOTCache"))
            .toArray(String[]::new);
    return new OptionsBuilder().parent(given).jvmArgs(own).build();
  }

  private int failed(Exception e, int status) {
    spec.commandLine().getErr().println("error: " + e.getMessage());
    spec.commandLine().getErr().flush();
    return status;
  }
}
