package org.nelumbo.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.nelumbo.dm.fabric.shm.SharedFilesReport;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Command line URL of a pool in shared files.
 *
 * @param text the whole URL
 * @param path path of the pool's file, or of the directory with its files
 */
record SharedFilesUrl(String text, Path path) {
  private static final String PREFIX = "jdbc:nelumbo:shm:";

  /**
   * Creates a URL.
   *
   * @param command command with the URL as parameter
   * @throws ParameterException if the URL contains no path
   */
  SharedFilesUrl(String text, CommandLine command) {
    this(text, path(text.substring(PREFIX.length()).replaceAll("[?;].*", ""), command));
  }

  private static Path path(String text, CommandLine command) {
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      throw new ParameterException(command, "'" + text + "' is not a path: " + e.getReason(), e);
    }
    throw new ParameterException(command, "write " + PREFIX + "PATH");
  }

  static boolean isOne(String url) {
    return url.startsWith(PREFIX);
  }

  /**
   * Returns a report about the pool.
   *
   * @throws org.nelumbo.dm.pool.PoolOpenException if the pool does not exist, or cannot be read
   */
  SharedFilesReport report() {
    return SharedFilesReport.of(path);
  }

  /**
   * Returns the configuration on which the processes of the pool have agreed, or null if there is
   * none.
   */
  static ClusterConfiguration configuration(SharedFilesReport report) {
    return report.configuration().length == 0
        ? null
        : ClusterConfiguration.decode(report.configuration());
  }
}
