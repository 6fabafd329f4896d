package org.nelumbo.executor.engine;

import java.util.function.Consumer;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.timestamp.Clock;

/**
 * The membership of a compute node in a shared pool. The members, and the owners of the locks, are
 * agreed on outside of the engine.
 */
public interface Membership {
  /** Returns the id by which memory nodes identify this compute node; not 0. */
  long tenant();

  /**
   * Becomes a member.
   *
   * @param node this compute node
   * @param clock clock of this compute node, which messages between compute nodes carry
   * @param table lock table for the locks that this compute node will own
   * @param copies cached copies of rows whose locks are owned here
   * @param onBroken receives the failure that has ended the lock service; the engine stops
   * @return the locks that span all compute nodes, not started; their map contains this compute
   *     node as a member
   */
  ClusterLocks enter(
      ComputeNodeEntry node,
      Clock clock,
      LockTable table,
      OwnedCopies copies,
      Consumer<Throwable> onBroken);

  /**
   * Ends the work for other compute nodes that may have failed, since this one is about to leave.
   */
  void retire();

  /**
   * Leaves in order: no transaction runs here, and the locks that are owned here are given to other
   * members first. Does nothing if this compute node is not a member.
   */
  void leave();

  /**
   * Stops all work here without notifying the other compute nodes, since the engine has stopped.
   * Does not wait, so any thread may call this, including the threads of this object.
   */
  void stop();

  /**
   * Does the same as {@link #stop}, then waits for the threads, and releases their fabric
   * resources.
   */
  void close();
}
