package org.nelumbo.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.database.AttachReport;
import org.nelumbo.database.Database;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.NelumboException;
import org.nelumbo.metrics.DatabaseHealth;
import org.nelumbo.metrics.DatabaseMetrics;
import org.nelumbo.metrics.PrometheusEndpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo compute-node}: runs a process that shares a pool with other compute nodes and owns
 * its share of the lock shards, until a signal stops it. Exit status: 0 it has left in order, 2
 * wrong usage, 3 the pool is not available, or was lost.
 */
@Command(
    name = "compute-node",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description =
        "Runs a compute node, which shares a pool on memory nodes or in shared files with others,"
            + " and owns part of the locks.",
    footer = {
      "",
      "A program that opens the URL is a compute node itself, and does not need this",
      "command. A separate compute node keeps the pool attached while programs start and",
      "stop, and recovers those that fail.",
      "",
      "SIGTERM: the compute node hands its shards to the others and ends. A second signal",
      "ends it at once, and the others recover it. The secret can also be given in the",
      "environment variable NELUMBO_SECRET.",
      "",
      "Exit status: 0 it has left the pool cleanly, 2 wrong usage, 3 the pool is not",
      "available, or was lost."
    })
final class ComputeNodeCommand implements Callable<Integer> {
  private static final long WATCH_MILLIS = 500;

  private static final long RETRY_MILLIS = 500;

  /** Base of exit statuses caused by a signal. */
  private static final int SIGNALLED = 128;

  @Spec private CommandSpec spec;

  private static final String SHARED_FILES = "jdbc:nelumbo:shm:";

  @Parameters(
      paramLabel = "URL",
      description = "As jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME, or jdbc:nelumbo:shm:PATH.")
  private String url;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "0s",
      converter = DurationConverter.class,
      description =
          "How long to retry while the pool is not available, such as 30s or 5m, for example"
              + " because its memory nodes are starting (default: no retry).")
  private Duration wait;

  @Option(
      names = "--metrics",
      paramLabel = "HOST:PORT",
      description = "Serve http://HOST:PORT/metrics for Prometheus, and /health and /ready.")
  private String metrics;

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicInteger signals = new AtomicInteger();

  @Override
  public Integer call() throws InterruptedException {
    Object pool = url.startsWith(SHARED_FILES) ? url : new RemotePoolUrl(url, spec.commandLine());
    NodeAddress address = metrics == null ? null : metricsAddress();
    Database database;
    try {
      database = open();
    } catch (SQLException e) {
      return failed("cannot open the pool of " + pool, e);
    }
    try (HandledSignals _ = new HandledSignals(this::signalled, "TERM", "INT");
        PrometheusEndpoint endpoint = endpoint(address, database)) {
      tellBegin(database, endpoint);
      while (!stopped.await(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
        database.checkReachable();
      }
      return leave(database);
    } catch (IOException e) {
      leave(database);
      return failed("cannot run", e);
    } catch (NelumboException e) {
      return failed("has lost the pool", e);
    }
  }

  /** Transfers its shards to the other compute nodes; returns the exit status. */
  private int leave(Database database) {
    say("is leaving the pool: handing over its shards to the others");
    try {
      database.close();
      say("has left the pool");
      return ExitStatus.DONE;
    } catch (FabricException | NelumboException e) {
      return failed("has not left the pool cleanly; the others recover it", e);
    }
  }

  private void signalled(int number) {
    if (signals.incrementAndGet() > 1) {
      Runtime.getRuntime().halt(SIGNALLED + number);
    }
    stopped.countDown();
  }

  private NodeAddress metricsAddress() {
    try {
      return NodeAddress.parse(metrics);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Database open() throws SQLException, InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    for (int attempt = 0; ; attempt++) {
      try (Connection connection =
          DriverManager.getConnection(url, RemotePoolUrl.properties(url, false))) {
        return connection.unwrap(Database.class);
      } catch (SQLException e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
        if (attempt == 0) {
          complain("is waiting for the pool", e);
        }
      }
      Thread.sleep(RETRY_MILLIS);
    }
  }

  private static PrometheusEndpoint endpoint(NodeAddress address, Database database)
      throws IOException {
    try {
      return address == null
          ? null
          : new PrometheusEndpoint(
              address, new DatabaseHealth(database), new DatabaseMetrics(database));
    } catch (IOException e) {
      throw new IOException(MemoryNodeCommand.unusable(e, address) + " (--metrics)", e);
    }
  }

  private void tellBegin(Database database, PrometheusEndpoint endpointOrNull) {
    AttachReport attach = database.statistics().attach();
    String name = attach.poolName().isEmpty() ? url : attach.poolName();
    say("joined pool " + name + " with the id " + attach.poolIdText());
    if (endpointOrNull != null) {
      PrintWriter out = spec.commandLine().getOut();
      out.println("metrics are at http://" + endpointOrNull.address() + "/metrics");
      out.flush();
    }
  }

  private void say(String what) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("compute node " + what);
    out.flush();
  }

  private void complain(String what, Exception why) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("nelumbo: compute node " + what + ": " + why.getMessage());
    err.flush();
  }

  private int failed(String what, Exception why) {
    complain(what, why);
    return ExitStatus.NO_DATABASE;
  }
}
