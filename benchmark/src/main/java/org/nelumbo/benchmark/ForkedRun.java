package org.nelumbo.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.nelumbo.benchmark.database.DatabaseUrl;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** One measurement in a process of its own: same Java, same class path, same options. */
final class ForkedRun {
  /** Carries the password to the process, where nobody lists it. */
  static final String PASSWORD_VARIABLE = "NELUMBO_BENCH_PASSWORD";

  private static final Set<String> REPLACED =
      Set.of("--url", "--rounds", "--json", "--password", "--seed", "--replace");

  private ForkedRun() {}

  /**
   * Measures one URL; what the process prints appears here.
   *
   * @param replace drop existing tables even if the user did not say so: an earlier round made them
   * @param json file for the result, left empty if the run did not get that far
   * @return the exit status of the process
   */
  static int run(
      CommandSpec command, BenchmarkOptions options, DatabaseUrl url, boolean replace, Path json)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.addAll(List.of(BenchmarkMain.class.getName(), command.name()));
    line.addAll(repeatedOptions(command));
    line.addAll(List.of("--url", url.text(), "--seed", Long.toString(options.seed())));
    line.addAll(List.of("--json", json.toString()));
    if (replace || options.replace) {
      line.add("--replace");
    }
    ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
    if (options.password != null) {
      builder.environment().put(PASSWORD_VARIABLE, options.password);
    }
    Process process = builder.start();
    try {
      return process.waitFor();
    } finally {
      process.destroy();
    }
  }

  /** The options of the command line, but for those that each process gets anew. */
  static List<String> repeatedOptions(CommandSpec command) {
    List<String> result = new ArrayList<>();
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptionsSet()) {
      String name = option.longestName();
      if (REPLACED.contains(name)) {
        continue;
      }
      if (option.getValue() instanceof Boolean on) {
        result.add(on ? name : name.replaceFirst("--", "--no-"));
      } else {
        option.originalStringValues().forEach(value -> result.add(name + "=" + value));
      }
    }
    return result;
  }
}
