package org.nelumbo.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One measurement in a process of its own: same Java, same class path. */
final class ForkedRun {
  /** Carries the password to the process, where nobody lists it. */
  static final String PASSWORD_VARIABLE = "NELUMBO_BENCH_PASSWORD";

  private ForkedRun() {}

  /**
   * Runs a benchmark; what the process prints appears here.
   *
   * @param words of the command line after {@code bench}
   * @param password of the database, or null
   * @return the exit status of the process
   */
  static int run(List<String> words, String password) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.add(BenchmarkMain.class.getName());
    line.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
    if (password != null) {
      builder.environment().put(PASSWORD_VARIABLE, password);
    }
    Process process = builder.start();
    try {
      return process.waitFor();
    } finally {
      process.destroy();
    }
  }
}
