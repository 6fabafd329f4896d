package org.nelumbo.benchmark.footprint;

import java.io.File;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Class paths for probes. A database gets what an application would give it and no driver of
 * another, because {@link DriverManager} loads all drivers it finds.
 */
final class ProbePath {
  /** Whose drivers are no peers: ours, and one that is in a library of ours. */
  private static final List<String> OURS = List.of("org.nelumbo.", "org.apache.calcite.");

  private ProbePath() {}

  /** All that this process has. */
  static String whole() {
    return System.getProperty("java.class.path");
  }

  /**
   * For our engine what this process has without the drivers of others; for another database its
   * driver, and the logging interface that some need.
   *
   * @throws SQLException if this process has no driver for the URL
   */
  static String of(String url) throws SQLException {
    Set<String> path = new LinkedHashSet<>();
    if (url.startsWith("jdbc:nelumbo:")) {
      Set<String> foreign = foreign();
      entries().filter(entry -> !foreign.contains(entry)).forEach(path::add);
      return String.join(File.pathSeparator, path);
    }
    path.add(place(DriverManager.getDriver(url).getClass()));
    path.add(place(StartProbe.class));
    entries()
        .filter(entry -> Path.of(entry).getFileName().toString().startsWith("slf4j-"))
        .forEach(path::add);
    return String.join(File.pathSeparator, path);
  }

  private static Stream<String> entries() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(whole())
        .map(entry -> Path.of(entry).toAbsolutePath().toString());
  }

  private static String place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }

  /** Where the drivers of other databases are. */
  private static Set<String> foreign() {
    return DriverManager.drivers()
        .map(Driver::getClass)
        .filter(type -> OURS.stream().noneMatch(type.getName()::startsWith))
        .map(ProbePath::place)
        .collect(Collectors.toSet());
  }
}
