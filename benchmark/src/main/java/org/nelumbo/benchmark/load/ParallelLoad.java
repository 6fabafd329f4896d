package org.nelumbo.benchmark.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.nelumbo.benchmark.database.Database;

/** Loads parts of a population in parallel, on as many connections as the product benefits from. */
public final class ParallelLoad {
  private ParallelLoad() {}

  /** A part of a population. */
  @FunctionalInterface
  public interface Part {
    /** Loads the part on a connection of its own, which the caller closes. */
    void load(Connection connection) throws SQLException;
  }

  /**
   * Loads all parts; the first failure ends the load.
   *
   * @throws SQLException the exception of a part
   */
  public static void run(Database database, List<? extends Part> parts)
      throws SQLException, InterruptedException {
    int threads =
        database.dialect().loadsInParallel() ? Runtime.getRuntime().availableProcessors() : 1;
    ExecutorService executor =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(threads, parts.size())),
            Thread.ofPlatform().name("load-", 0).factory());
    try {
      List<Future<Void>> running =
          parts.stream().map(part -> executor.submit(() -> load(database, part))).toList();
      for (Future<Void> part : running) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException sql ? sql : new SQLException(e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  private static Void load(Database database, Part part) throws SQLException {
    try (Connection connection = database.connect()) {
      part.load(connection);
    }
    return null;
  }
}
