package org.nelumbo.cli;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Command line URLs of pools that outlive the process. */
final class PoolUrl {
  private static final String PREFIX = "jdbc:nelumbo:";

  private PoolUrl() {}

  /** Rejects other URLs as wrong usage. */
  static void check(CommandSpec spec, String url, String what) {
    if (!url.startsWith(PREFIX) || url.startsWith(PREFIX + "mem:")) {
      throw new ParameterException(
          spec.commandLine(),
          "'"
              + url
              + "' is not the URL of a pool that "
              + what
              + "; write "
              + PREFIX
              + "file:DIRECTORY, "
              + PREFIX
              + "shm:PATH or "
              + PREFIX
              + "//HOST:PORT/NAME");
    }
  }

  /** Connects with one property in addition to the URL. */
  static Connection connect(String url, String property) throws SQLException {
    Properties properties = RemotePoolUrl.secretFor(url);
    String separator = url.contains("?") ? "&" : "?";
    return DriverManager.getConnection(url + separator + property, properties);
  }

  /** Returns a path in the form that it has within the quotes of an SQL literal. */
  static String quoted(Path path) {
    return path.toAbsolutePath().toString().replace("'", "''");
  }
}
