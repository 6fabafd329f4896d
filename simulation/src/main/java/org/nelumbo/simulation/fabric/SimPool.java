package org.nelumbo.simulation.fabric;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The memory nodes of a world, whose compute nodes have them one after the other. {@link SimFabric}
 * has one copy of everything.
 */
public interface SimPool {
  SimWorld world();

  /** Number of memory nodes. */
  int nodeCount();

  /** The fabric of the first compute node, on empty memory, or of one more beside others. */
  Fabric attach(SimNode node);

  /**
   * Fences a compute node, called by a simulated thread of another: when this returns none of its
   * verbs takes effect any more.
   */
  void fence(Fabric attachment);

  /**
   * Fences a compute node at the memory nodes that another one uses.
   *
   * @param by the way of that one to the pool
   */
  default void fence(Fabric by, Fabric attachment) {
    fence(attachment);
  }

  /** Whether a compute node has not ended its connections itself, as one that stops does. */
  boolean isConnected(Fabric attachment);

  /**
   * The fabric of a compute node that takes the pool over; called by a simulated thread of it.
   *
   * @throws org.nelumbo.dm.pool.FabricException if a memory node that is needed cannot be had
   * @throws org.nelumbo.dm.pool.PoolOpenException if one refuses, or too few can be reached
   */
  Fabric takeOver(SimNode node);

  /** Number of takeovers so far: whoever attached when it was lower has lost the pool. */
  long epoch();

  /** Whether {@link #peek} may be called. */
  boolean canPeek();

  /** The word of a memory node, read past the network: costs nothing and is in no trace. */
  long peek(long address);

  /** The task that used a channel last; null if that is not known. */
  SimTask userOf(Channel channel);

  /** Puts faults in the way of verbs. */
  void setFaults(FaultHooks points);

  /** Stops a coordinator. Of its verbs on the way a seeded number to each node still lands. */
  void stop(SimTask task);

  /** Stops a coordinator; none of its verbs on the way lands any more. */
  void stopSharp(SimTask task);

  /** Stops a memory node. */
  void stopNode(int node);

  /** A memory node that was stopped is back, with its memory; it has no connections. */
  void restartNode(int node);

  /** Verbs posted so far. */
  long verbs();

  /** Flushes that waited for verbs. */
  long flushes();

  /** Gives back all memory; the world has been closed. */
  void release();
}
