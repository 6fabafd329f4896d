package org.nelumbo.executor.engine;

import java.util.function.Consumer;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;

/**
 * How a compute node becomes one of those that have a pool together, and stops being one: who they
 * are and who keeps which locks is agreed on outside of the engine.
 */
public interface Membership {
  /** By what memory nodes know this compute node; not 0. */
  long tenant();

  /**
   * Becomes a member.
   *
   * @param node this compute node
   * @param table decides on the locks that are to be kept here
   * @param copies of rows whose locks are kept here
   * @param onBroken to be told what has ended the service of locks: the engine stops
   * @return its part in the locks of all, not started; its map has this compute node as a member
   */
  ClusterLocks enter(
      ComputeNodeEntry node, LockTable table, OwnedCopies copies, Consumer<Throwable> onBroken);

  /** Ends what is done for others, who may have died: this compute node is about to leave. */
  void retire();

  /**
   * Is a member no longer, in order: no transaction runs here, and the locks that are kept here go
   * to others first. Does nothing if it is none.
   */
  void leave();

  /**
   * The engine has stopped: nothing more is to be done here, and the others are not told. Waits for
   * nothing: any thread may call this, also one of these.
   */
  void stop();

  /** {@link #stop}; then waits for the threads, and gives back what they have of the fabric. */
  void close();
}
