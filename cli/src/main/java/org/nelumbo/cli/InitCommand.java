package org.nelumbo.cli;

import java.io.EOFException;
import java.io.PrintWriter;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.nelumbo.error.ErrorCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo init}: creates a pool that does not exist yet. Exit status: 0 the pool is created,
 * 2 wrong usage, 3 it cannot be created, or exists already.
 */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Creates a pool on empty memory nodes, or in a new file.",
    footer = {
      "",
      "All memory nodes must be running and empty. The properties replicas, memory and",
      "nodes of the URL define the pool; password, tls and tlsTrust define how to connect",
      "to the nodes. The secret can also be given in the environment variable",
      "NELUMBO_SECRET."
    })
final class InitCommand implements Callable<Integer> {
  private static final long RETRY_MILLIS = 200;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "URL", description = "As jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME.")
  private String url;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "0s",
      converter = DurationConverter.class,
      description =
          "How long to retry while memory nodes are starting or cannot be reached, such as 30s"
              + " or 5m (default: no retry).")
  private Duration wait;

  @Override
  public Integer call() throws InterruptedException {
    PoolUrl.check(spec, url, "outlives this command");
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      try (ResultSet pool = statement.executeQuery("SELECT POOL_ID FROM SYS.POOL")) {
        pool.next();
        PrintWriter out = spec.commandLine().getOut();
        out.println("created a new, empty pool with the id " + pool.getString(1));
        out.flush();
      }
      statement.execute("SHUTDOWN");
      return ExitStatus.DONE;
    } catch (SQLException e) {
      spec.commandLine().getErr().println("nelumbo: no pool was created: " + e.getMessage());
      return ExitStatus.NO_DATABASE;
    }
  }

  /**
   * Creates the pool; retries until the wait time is over while its memory nodes are unavailable.
   */
  private Connection connect() throws SQLException, InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    while (true) {
      try {
        return PoolUrl.connect(url, "create=new");
      } catch (SQLException e) {
        if (System.nanoTime() - end >= 0 || !isStarting(e)) {
          throw e;
        }
      }
      Thread.sleep(RETRY_MILLIS);
    }
  }

  /** Returns true if a memory node is loading, cannot be reached, or closes its connections. */
  private static boolean isStarting(SQLException refusal) {
    if (ErrorCode.STARTING.sqlState().equals(refusal.getSQLState())) {
      return true;
    }
    Throwable cause = refusal;
    while (cause != null && !isOfConnection(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  private static boolean isOfConnection(Throwable failure) {
    return failure instanceof SocketException
        || failure instanceof SocketTimeoutException
        || failure instanceof UnknownHostException
        || failure instanceof EOFException;
  }
}
