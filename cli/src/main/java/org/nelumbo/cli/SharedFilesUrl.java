package org.nelumbo.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.nelumbo.dm.fabric.shm.SharedFilesReport;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * URL of a pool in shared files, as a command line has it.
 *
 * @param text all of it
 * @param path of the pool's file, or of the directory with its files
 */
record SharedFilesUrl(String text, Path path) {
  private static final String PREFIX = "jdbc:nelumbo:shm:";

  /**
   * A URL.
   *
   * @param command whose parameter it is
   * @throws ParameterException if there is no path in it
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
      throw new ParameterException(command, "'" + text + "' is no path: " + e.getReason(), e);
    }
    throw new ParameterException(command, "write " + PREFIX + "PATH");
  }

  static boolean isOne(String url) {
    return url.startsWith(PREFIX);
  }

  /**
   * What there is to know of the pool.
   *
   * @throws org.nelumbo.dm.pool.PoolOpenException if there is none, or it cannot be read
   */
  SharedFilesReport report() {
    return SharedFilesReport.of(path);
  }

  /** What the processes that share the pool have agreed on; null if that is nothing. */
  static ClusterConfiguration configuration(SharedFilesReport report) {
    return report.configuration().length == 0
        ? null
        : ClusterConfiguration.decode(report.configuration());
  }
}
