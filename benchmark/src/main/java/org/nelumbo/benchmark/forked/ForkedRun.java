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
 * One measurement in a process of its own: same Java, same class path, same options, but no AOT
 * cache: the launcher's was trained with our statements, and no database is to begin with more.
 */
public final class ForkedRun {
  /** Carries the password to the process, where nobody lists it. */
  public static final String PASSWORD_VARIABLE = "NELUMBO_BENCH_PASSWORD";

  private ForkedRun() {}

  /**
   * Runs a benchmark; what the process prints appears here.
   *
   * @param main class the process starts with
   * @param words of the command line after {@code bench}
   * @param password of the database, or null
   * @param limit how long it may take, or null; after that it is killed
   * @return the exit status of the process; empty if it took too long
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

  /** The command line of such a process. */
  static List<String> line(Class<?> main, List<String> words) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(options(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.add(main.getName());
    line.addAll(words);
    return line;
  }

  /** What a process of its own gets of this JVM's options. */
  static List<String> options(List<String> ownOptions) {
    return ownOptions.stream().filter(option -> !option.startsWith("-XX:AOTCache")).toList();
  }
}
