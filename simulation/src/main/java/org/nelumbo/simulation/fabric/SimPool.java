package org.nelumbo.simulation.fabric;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The memory nodes of a world, which serve compute nodes one after the other. {@link SimFabric} has
 * one copy of the data.
 */
public interface SimPool {
  SimWorld world();

  /** Returns the model of the network. */
  FabricModel model();

  /** Returns the number of memory nodes. */
  int nodeCount();

  /** Returns the fabric of the first compute node, on empty memory, or of an additional one. */
  Fabric attach(SimNode node);

  /**
   * Fences a compute node; called by a simulated thread of another one. After the return none of
   * its verbs takes effect.
   */
  void fence(Fabric attachment);

  /**
   * Fences a compute node at the memory nodes that another one uses.
   *
   * @param by attachment of the other compute node
   */
  default void fence(Fabric by, Fabric attachment) {
    fence(attachment);
  }

  /**
   * Returns true if a compute node has not closed its connections itself, as a stopping one does.
   */
  boolean isConnected(Fabric attachment);

  /**
   * Returns the fabric of a compute node that takes the pool over; called by one of its simulated
   * threads.
   *
   * @throws org.nelumbo.dm.pool.FabricException if a required memory node is unavailable
   * @throws org.nelumbo.dm.pool.PoolOpenException if a memory node refuses, or too few are
   *     reachable
   */
  Fabric takeOver(SimNode node);

  /** Returns the number of takeovers so far: an attachment with a lower epoch has lost the pool. */
  long epoch();

  /** Returns true if {@link #peek} may be called. */
  boolean canPeek();

  /** Reads a word of a memory node without the network: takes no time and is not traced. */
  long peek(long address);

  /** Returns the last task that used a channel; null if unknown. */
  SimTask userOf(Channel channel);

  /** Sets the hooks that inject faults into verbs. */
  void setFaults(FaultHooks points);

  /** Stops a coordinator. A seeded number of its verbs in flight to each node still lands. */
  void stop(SimTask task);

  /** Stops a coordinator; none of its verbs in flight lands. */
  void stopSharp(SimTask task);

  /** Stops a memory node. */
  void stopNode(int node);

  /** Restarts a stopped memory node with its memory, and without connections. */
  void restartNode(int node);

  /** Sets the observer of the verbs that are posted from now on. */
  void observe(VerbObserver observer);

  /**
   * Returns the time for which the network card of a memory node has worked so far, nanoseconds: of
   * its busiest part, if they work at the same time.
   */
  double busyNanos(int node);

  /** Returns the number of verbs posted so far. */
  long verbs();

  /** Returns the number of flushes that waited for verbs. */
  long flushes();

  /** Releases all memory; the world has been closed. */
  void release();
}
