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
 * Builds class paths for probes. A database gets the class path of a typical application, without
 * drivers of other databases, because {@link DriverManager} loads all drivers that it finds.
 */
final class ProbePath {
  /** Packages whose drivers belong to Nelumbo: its own, and one in a library that it uses. */
  private static final List<String> OURS = List.of("org.nelumbo.", "org.apache.calcite.");

  private ProbePath() {}

  /** Returns the whole class path of this process. */
  static String whole() {
    return System.getProperty("java.class.path");
  }

  /**
   * Returns the class path for a URL. For Nelumbo it is the class path of this process without the
   * drivers of other databases. For another database it contains its driver, and the logging
   * interface that some drivers need.
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
    path.add(location(DriverManager.getDriver(url).getClass()));
    path.add(location(StartProbe.class));
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

  private static String location(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }

  /** Returns the locations of the drivers of other databases. */
  private static Set<String> foreign() {
    return DriverManager.drivers()
        .map(Driver::getClass)
        .filter(type -> OURS.stream().noneMatch(type.getName()::startsWith))
        .map(ProbePath::location)
        .collect(Collectors.toSet());
  }
}
