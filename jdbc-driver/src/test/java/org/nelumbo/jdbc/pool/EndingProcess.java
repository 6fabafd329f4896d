package org.nelumbo.jdbc.pool;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.jdbc.Statements;

/**
 * A process that creates a table in a pool and ends normally without {@code SHUTDOWN}. Main: URL,
 * and {@code open} to leave a connection open with a transaction in progress.
 */
final class EndingProcess {
  private EndingProcess() {}

  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection(arguments[0])) {
      Statements.run(
          connection, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)");
    }
    if (arguments[1].equals("open")) {
      Connection left = DriverManager.getConnection(arguments[0]);
      left.setAutoCommit(false);
      Statements.run(left, "INSERT INTO t VALUES (3)");
    }
  }

  /** Runs the process to its end and returns its exit status. */
  static int run(String url, String how) throws Exception {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                EndingProcess.class.getName(),
                url,
                how))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start()
        .waitFor();
  }
}
