package org.nelumbo.database;

import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.planner.catalog.CatalogReader;
import org.nelumbo.session.SessionOptions;

/** An open pool with its catalog and plan cache. Thread-safe. */
public interface Database extends AutoCloseable {
  DatabaseOptions options();

  /**
   * Opens a session, which the caller must close. Throws 08003 if the database is closed, 3F000 if
   * the schema does not exist.
   */
  EmbeddedSession connect(SessionOptions options);

  /**
   * Opens a session of the native API, which the caller must close. Throws 08003 if the database is
   * closed. A native session that is open when the database is closed keeps the pool's memory alive
   * until the session is closed.
   */
  NativeSession openNative();

  /** Returns the current catalog. */
  CatalogReader catalog();

  /**
   * Returns approximate statistics of this compute node on the database; cheap enough for a metrics
   * scrape.
   */
  DatabaseStatistics statistics();

  /**
   * Pins lock shards to a compute node that shares the pool. The owner of a shard transfers it when
   * no lock of the shard is held. The shards stay there until the compute node leaves or fails, or
   * until they are pinned elsewhere or {@linkplain #releaseShards released}.
   *
   * @param node number of the compute node in SYS.COMPUTE_NODES
   * @throws org.nelumbo.error.NelumboException BAD_PARAMETER if the compute node does not exist or
   *     the pool is not shared, LIMIT_EXCEEDED if more runs of shards are pinned than fit,
   *     CONNECTION_LOST if the pool is lost
   */
  void pinShards(BitSet shards, long node);

  /** Unpins shards: the compute nodes decide again which of them owns each shard. */
  void releaseShards(BitSet shards);

  boolean isOpen();

  /**
   * Checks that the pool can be reached; costs a round trip if it is remote.
   *
   * @throws org.nelumbo.error.NelumboException CONNECTION_LOST if the pool is unreachable or the
   *     engine has stopped, CONNECTION_CLOSED if the database is closed; the message contains the
   *     reason
   */
  void checkReachable();

  /**
   * Returns a supplier of statistics that outlives this database: after it is lost or shut down,
   * the supplier reads the database that replaces it in the same holder. For long-lived monitors.
   */
  Supplier<DatabaseStatistics> statisticsSource();

  /**
   * Stops and closes the database without touching the pool's memory, because the memory has failed
   * and pending changes are in an unknown state. Its sessions then reject statements (57P01) and
   * must be closed. Other compute nodes, or the next attach, recover a pool that outlives the
   * process.
   */
  void abandon(Throwable why);

  /**
   * Returns the files or addresses of the pool's memory nodes; empty if the pool is in the memory
   * of this process.
   */
  List<String> locations();

  /**
   * Shuts down: stops all statements in progress, rolls back and closes all sessions, and releases
   * the pool's memory. The contents of a pool in the memory of this process are lost.
   */
  @Override
  void close();
}
