package org.nelumbo.benchmark.database;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The directory of downloaded drivers, with a subdirectory for each driver that contains all the
 * jars it needs.
 */
public final class DriverFolder {
  /**
   * System property that replaces the default directory, {@code .nelumbo/drivers} in the user's
   * home.
   */
  public static final String PROPERTY = "nelumbo.drivers";

  private DriverFolder() {}

  /** Returns the directory, which may not exist. */
  public static Path path() {
    String given = System.getProperty(PROPERTY);
    return given == null
        ? Path.of(System.getProperty("user.home"), ".nelumbo", "drivers")
        : Path.of(given);
  }

  /** Returns the jars of each driver. */
  static List<List<Path>> drivers() throws IOException {
    List<List<Path>> drivers = new ArrayList<>();
    if (Files.isDirectory(path())) {
      for (Path folder : entries(path(), "*")) {
        List<Path> jars = Files.isDirectory(folder) ? entries(folder, "*.jar") : List.of();
        if (!jars.isEmpty()) {
          drivers.add(jars);
        }
      }
    }
    return drivers;
  }

  private static List<Path> entries(Path folder, String pattern) throws IOException {
    List<Path> result = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
      entries.forEach(result::add);
    }
    result.sort(null);
    return result;
  }
}
