package org.nelumbo.benchmark.database;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder of drivers that have been fetched: a folder each, with all the jars a driver needs.
 */
public final class DriverFolder {
  /** Names another folder than {@code .nelumbo/drivers} in the user's home. */
  public static final String PROPERTY = "nelumbo.drivers";

  private DriverFolder() {}

  /** The folder; it need not exist. */
  public static Path path() {
    String given = System.getProperty(PROPERTY);
    return given == null
        ? Path.of(System.getProperty("user.home"), ".nelumbo", "drivers")
        : Path.of(given);
  }

  /** The jars of each driver. */
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
