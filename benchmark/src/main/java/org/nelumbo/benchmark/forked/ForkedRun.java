package org.nelumbo.benchmark.forked;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Runs one measurement in a process of its own, with the same Java, class path and JVM options,
 * except the AOT cache: the launcher's cache was trained with statements of Nelumbo, and no
 * database may have such an advantage.
 */
public final class ForkedRun {
  /**
   * Environment variable that carries the password to the process, where process lists do not show
   * it.
   */
  public static final String PASSWORD_VARIABLE = "NELUMBO_BENCH_PASSWORD";

  private ForkedRun() {}

  /**
   * Runs a benchmark; the output of the process appears on this console.
   *
   * @param main main class of the process
   * @param words command line after {@code bench}
   * @param password password of the database, or null
   * @param limit time limit, after which the process is killed, or null
   * @return the exit status of the process; empty if it exceeded the limit
   */
  static OptionalInt run(Class<?> main, List<String> words, String password, Duration limit)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(line(main, words)).inheritIO();
    if (password != null) {
      builder.environment().put(PASSWORD_VARIABLE, password);
    }
    Process process = builder.start();
    try {
      if (limit == null) {
        return OptionalInt.of(process.waitFor());
      }
      if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return OptionalInt.of(process.exitValue());
      }
      process.destroyForcibly().waitFor();
      return OptionalInt.empty();
    } finally {
      process.destroy();
    }
  }

  /** Returns the command line of such a process. */
  static List<String> line(Class<?> main, List<String> words) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(options(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.add(main.getName());
    line.addAll(words);
    return line;
  }

  /** Returns the options of this JVM that a forked process inherits. */
  static List<String> options(List<String> ownOptions) {
    return ownOptions.stream().filter(option -> !option.startsWith("-XX:AOTCache")).toList();
  }
}
