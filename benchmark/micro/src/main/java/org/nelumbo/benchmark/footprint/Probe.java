package org.nelumbo.benchmark.footprint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A Java process that runs a probe.
 *
 * @param options options of the JVM, in addition to those inherited from this process
 * @param classPath its class path
 * @param main main class of the probe
 * @param arguments arguments of the probe
 */
record Probe(List<String> options, String classPath, Class<?> main, List<String> arguments) {
  private static final String CACHE_OPTION = "-XX:AOTCache=";

  /**
   * The output of a probe.
   *
   * @param line the first line that it printed
   * @param nanos time from the start of the process to that line
   */
  record Answer(String line, long nanos) {}

  /**
   * Runs the probe to its end.
   *
   * @throws IOException if it failed or printed nothing; its errors have been printed
   */
  Answer run() throws IOException, InterruptedException {
    return run(ProcessBuilder.Redirect.INHERIT);
  }

  /**
   * Runs the probe without printing its errors, because a JVM that creates a cache writes messages.
   */
  Answer runSilently() throws IOException, InterruptedException {
    return run(ProcessBuilder.Redirect.DISCARD);
  }

  private Answer run(ProcessBuilder.Redirect errors) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options);
    words.addAll(inherited());
    words.addAll(List.of("-cp", classPath, main.getName()));
    words.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(errors);
    long start = System.nanoTime();
    Process process = builder.start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = out.readLine();
      long nanos = System.nanoTime() - start;
      out.transferTo(java.io.Writer.nullWriter());
      if (process.waitFor() != 0 || line == null) {
        throw new IOException(main.getSimpleName() + " " + arguments + " failed");
      }
      return new Answer(line, nanos);
    } finally {
      process.destroy();
    }
  }

  /**
   * Returns the options of this JVM that affect the use of memory. Its cache and its agents are not
   * inherited.
   */
  private static List<String> inherited() {
    return jvmOptions().stream()
        .filter(o -> o.startsWith("--enable-native-access") || o.startsWith("-XX:+Use"))
        .toList();
  }

  /** Returns the AOT cache with which this JVM was started, or null if there is none. */
  static String launchersCache() {
    return jvmOptions().stream()
        .filter(option -> option.startsWith(CACHE_OPTION))
        .map(option -> option.substring(CACHE_OPTION.length()))
        .findFirst()
        .orElse(null);
  }

  /** Returns options with which a JVM uses a cache, and stays silent if the cache does not fit. */
  static List<String> usingCache(String cache) {
    return List.of(CACHE_OPTION + cache, "-Xlog:aot=off", "-Xlog:cds=off");
  }

  private static List<String> jvmOptions() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments();
  }
}
