package org.nelumbo.jdbc.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.jdbc.NelumboDriver;

/**
 * Random URLs and properties: the driver returns a working connection, or throws an {@code
 * SQLException} with 08001 and the reason. {@link FuzzSeeds} describes longer runs and runs of a
 * single seed.
 */
class DriverUrlsTest {
  private static final int URLS = 200;
  private static final long SECONDS = 1;

  @TempDir private Path folder;

  @Test
  @Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
  void shouldConnectOrReportReason() throws Exception {
    FuzzSeeds.run("driver-urls", SECONDS, this::runSeed);
  }

  private void runSeed(long seed) throws IOException {
    FuzzUrl urls = new FuzzUrl(new SplittableRandom(seed), folder);
    for (int i = 0; i < URLS; i++) {
      String url = urls.url();
      Properties properties = urls.properties();
      String shown = url + " " + properties;
      try {
        open(url, properties);
      } catch (SQLException e) {
        assertEquals("08001", e.getSQLState(), () -> shown + " -> " + e);
        assertFalse(e.getMessage().contains("please report"), () -> shown + " -> " + e);
      } catch (Throwable e) {
        throw new AssertionError(shown + " let out " + e, e);
      }
    }
  }

  private void open(String url, Properties properties) throws SQLException, IOException {
    try (Connection connection = new NelumboDriver().connect(url, properties)) {
      if (connection != null) { // null if the URL prefix is damaged
        try (Statement statement = connection.createStatement()) {
          statement.execute("SHUTDOWN");
        }
        clear();
      }
    }
  }

  /** Deletes all files, so that the next pool is a new one. */
  private void clear() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.sorted(Comparator.reverseOrder()).filter(file -> !file.equals(folder)).toList();
    }
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (DirectoryNotEmptyException e) {
        throw new AssertionError("a file came into being meanwhile: " + file, e);
      }
    }
  }
}
