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
 * @param options of the JVM, beside those of this one
 * @param classPath its class path
 * @param main the probe
 * @param arguments of the probe
 */
record Probe(List<String> options, String classPath, Class<?> main, List<String> arguments) {
  private static final String CACHE_OPTION = "-XX:AOTCache=";

  /**
   * What came of it.
   *
   * @param line the first line it printed
   * @param nanos from the start of the process to that line
   */
  record Answer(String line, long nanos) {}

  /**
   * Runs to the end.
   *
   * @throws IOException if it failed or said nothing; its errors have been printed
   */
  Answer run() throws IOException, InterruptedException {
    return run(ProcessBuilder.Redirect.INHERIT);
  }

  /** Runs it without showing its errors: a JVM that makes a cache talks about it. */
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

  /** Options of this JVM that decide how memory is used; its cache and its agents are its own. */
  private static List<String> inherited() {
    return jvmOptions().stream()
        .filter(o -> o.startsWith("--enable-native-access") || o.startsWith("-XX:+Use"))
        .toList();
  }

  /** The AOT cache this JVM was started with, null if with none. */
  static String launchersCache() {
    return jvmOptions().stream()
        .filter(option -> option.startsWith(CACHE_OPTION))
        .map(option -> option.substring(CACHE_OPTION.length()))
        .findFirst()
        .orElse(null);
  }

  /** Options with which a JVM uses a cache, and says nothing if it does not fit. */
  static List<String> usingCache(String cache) {
    return List.of(CACHE_OPTION + cache, "-Xlog:aot=off", "-Xlog:cds=off");
  }

  private static List<String> jvmOptions() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments();
  }
}
