package org.nelumbo.database;

import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.planner.catalog.CatalogReader;
import org.nelumbo.session.SessionOptions;

/** An opened pool with its catalogue and plan cache. Thread-safe. */
public interface Database extends AutoCloseable {
  DatabaseOptions options();

  /**
   * A new session; to be closed. 08003 if the database is closed, 3F000 if there is no such schema.
   */
  EmbeddedSession connect(SessionOptions options);

  /**
   * A new session of the native API; to be closed. 08003 if the database is closed. One that is
   * open when the database is closed keeps the pool's memory alive until it is closed too.
   */
  NativeSession openNative();

  /** The catalogue as it is now. */
  CatalogReader catalog();

  /** What this compute node does on the database, as it is about now; cheap enough for a scrape. */
  DatabaseStatistics statistics();

  /**
   * Places shards of the locks at a compute node that shares the pool. Their owners give them to it
   * soon, when nobody holds a lock of them; they stay there until it leaves or dies, or they are
   * placed elsewhere or {@linkplain #releaseShards released}.
   *
   * @param node number of it, as SYS.COMPUTE_NODES shows it
   * @throws org.nelumbo.error.NelumboException BAD_PARAMETER if there is no such compute node, or
   *     nobody shares the pool, LIMIT_EXCEEDED if more runs of shards are placed than there is room
   *     for, CONNECTION_LOST if the pool is lost
   */
  void placeShards(BitSet shards, long node);

  /** Leaves it to the compute nodes who has shards that were placed. */
  void releaseShards(BitSet shards);

  boolean isOpen();

  /**
   * Looks whether the pool can still be reached; costs a round trip where it is remote.
   *
   * @throws org.nelumbo.error.NelumboException CONNECTION_LOST if it cannot, or the engine has
   *     stopped, CONNECTION_CLOSED if the database is closed; the message says why
   */
  void checkReachable();

  /**
   * Tells what is done on the database in the place of this one: on this, until it is lost or shut
   * down and another is opened there. For whoever looks for longer than a database lasts.
   */
  Supplier<DatabaseStatistics> place();

  /**
   * The pool's memory has failed, and nobody knows what is half done: closes the database without
   * touching the memory again. Its sessions refuse statements from now on (57P01), and are to be
   * closed; a pool that outlives the process is recovered by the next attach.
   */
  void abandon();

  /** Files or addresses of the pool's memory nodes; empty if it is in this process's memory. */
  List<String> places();

  /**
   * Shuts down: stops all statements in progress, rolls back and closes all sessions, gives the
   * pool's memory back. What was in a pool in memory is gone.
   */
  @Override
  void close();
}
