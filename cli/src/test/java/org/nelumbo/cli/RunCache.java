package org.nelumbo.cli;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The JDK AOT cache for processes that tests start: the first SQL statement then takes half of the
 * processor time. The first process of a module creates it in {@code target}.
 */
final class RunCache {
  private static final List<String> JVM =
      List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** A cache contains classes of jars only, so the class path has to begin with these. */
  private static final Map<Boolean, List<String>> CLASS_PATH =
      Arrays.stream(
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                  .split(File.pathSeparator))
          .collect(Collectors.partitioningBy(each -> each.endsWith(".jar")));

  private static final String JARS = String.join(File.pathSeparator, CLASS_PATH.get(true));
  private static final List<String> COMMAND = command();

  private RunCache() {}

  /** Returns a command without the name of the main class, to which callers may add. */
  static List<String> java() {
    return new ArrayList<>(COMMAND);
  }

  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    Path cache = cache();
    if (Files.exists(cache)) {
      command.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"));
    }
    String folders = String.join(File.pathSeparator, CLASS_PATH.get(false));
    command.addAll(List.of("-cp", JARS + File.pathSeparator + folders));
    return command;
  }

  /** Returns the path of the cache, which does not exist if the JVM could not create it. */
  private static Path cache() {
    try {
      Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
      StringBuilder jars = new StringBuilder(System.getProperty("java.home"));
      for (String jar : CLASS_PATH.get(true)) {
        jars.append(jar).append(new File(jar).lastModified());
      }
      Path cache =
          target.resolve("run-" + Integer.toHexString(jars.toString().hashCode()) + ".aot");
      try (FileChannel lock =
          FileChannel.open(
              target.resolve("run.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        lock.lock();
        if (!Files.exists(cache)) {
          train(cache);
        }
      }
      return cache;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs a few statements with a main class that is in a jar, and records the loaded classes. */
  private static void train(Path cache) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-cp", JARS, "sqlline.SqlLine"));
    command.addAll(List.of("--silent=true", "-u", "jdbc:nelumbo:mem:", "-n", "", "-p", ""));
    command.addAll(List.of("-e", "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20))"));
    command.addAll(List.of("-e", "INSERT INTO t VALUES (1, 'x')"));
    command.addAll(List.of("-e", "SELECT COUNT(*) FROM t WHERE a < 5 GROUP BY b ORDER BY b"));
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
