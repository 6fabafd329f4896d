package org.nelumbo.dm.superblock;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The table of the compute nodes that have the pool open, in the superblock of node 0. Other
 * compute nodes find a compute node's horizon there, and its logs when it has failed. Membership is
 * decided elsewhere. Thread-safe.
 */
public final class ComputeNodeTable {
  private static final int STAGING_BYTES = SuperblockLayout.LENGTH;

  /** Largest number of a compute node that fits the latches of ordered indexes. */
  private static final long NUMBER_MAX = TreeNodeLayout.DEAD - 1;

  private ComputeNodeTable() {}

  /**
   * Result of a join.
   *
   * @param isMemoryLeft whether there is donated free memory
   */
  public record Joined(ComputeNodeEntry node, boolean isMemoryLeft) {}

  /**
   * Adds a compute node to the table, under a number that was never used before. Its horizon is 0
   * until it publishes one: no memory is reused until then. It reads the clock afterwards, not
   * before.
   *
   * <p>The tenant is the first word of the entry that is written. If the joining compute node fails
   * at any moment, the others therefore find the tenant to fence, and free the entry.
   *
   * @param tenant its tenant id at the memory nodes, not 0
   * @throws PoolOpenException if the table is full
   */
  public static Joined join(Fabric fabric, long tenant) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.fetchAndAdd(PoolAddress.of(0, SuperblockLayout.JOINS_OFFSET), 1, 0);
      channel.flush();
      long number = channel.staging().get(ValueLayout.JAVA_LONG, 0) + 1;
      if (number > NUMBER_MAX) {
        throw new PoolOpenException(
            "compute nodes have joined the pool "
                + NUMBER_MAX
                + " times since all of them had left: close all of them once");
      }
      int table = postRead(channel);
      channel.flush();
      for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
        if (tenant(channel.staging(), table, entry) == 0 && take(channel, entry, tenant)) {
          channel.writeLong(SuperblockLayout.computeNode(entry), number);
          channel.flush();
          boolean isMemoryLeft = entryWithMemory(channel.staging(), table, 0) >= 0;
          return new Joined(new ComputeNodeEntry((int) number, entry), isMemoryLeft);
        }
      }
      throw new PoolOpenException(
          "the pool is open on "
              + SuperblockLayout.COMPUTE_NODES
              + " compute nodes, which is the maximum: close one");
    }
  }

  private static boolean take(Channel channel, int entry, long tenant) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.compareAndSwap(
        SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET,
        0,
        tenant,
        offset);
    channel.flush();
    channel.release(mark);
    return channel.hasSwapped(offset, 0);
  }

  /** Removes a compute node that has left or was recovered: it does not use the pool any more. */
  public static void leave(Channel channel, ComputeNodeEntry node) {
    long vector = CommitVector.find(channel);
    if (vector != PoolAddress.NULL) {
      CommitVector.end(channel, vector, node.entry());
    }
    long entry = SuperblockLayout.computeNode(node.entry());
    long tenant = word(channel, node.entry(), SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET);
    channel.writeLong(entry + SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET, PoolAddress.NULL);
    channel.writeLong(entry + SuperblockLayout.COMPUTE_NODE_HORIZON_OFFSET, 0);
    channel.writeLong(entry + SuperblockLayout.COMPUTE_NODE_SETTLED_OFFSET, 0);
    channel.writeLong(entry + SuperblockLayout.COMPUTE_NODE_SCHEMA_OFFSET, 0);
    channel.flush();
    channel.writeLong(entry, 0);
    channel.flush();
    channel.writeRelease(entry + SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET, tenant, 0);
    channel.flush();
  }

  /**
   * Returns the number of the compute node in an entry of a copy of the table; 0 if the entry is
   * free or a join is in progress.
   */
  public static int number(MemorySegment staging, int table, int entry) {
    long at = table + (long) entry * SuperblockLayout.COMPUTE_NODE_LENGTH;
    return (int) staging.get(ValueLayout.JAVA_LONG, at);
  }

  /** Returns the tenant in an entry of a copy of the table; 0 if the entry is free. */
  public static long tenant(MemorySegment staging, int table, int entry) {
    long at = table + (long) entry * SuperblockLayout.COMPUTE_NODE_LENGTH;
    return staging.get(ValueLayout.JAVA_LONG, at + SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET);
  }

  /** Returns true if a compute node has neither left nor been removed. */
  public static boolean isIn(Channel channel, ComputeNodeEntry node) {
    return word(channel, node.entry(), SuperblockLayout.COMPUTE_NODE_NUMBER_OFFSET)
        == node.number();
  }

  /**
   * Returns true if a compute node with the given number shares the pool, or has failed and is not
   * recovered yet.
   */
  public static boolean isIn(Channel channel, int number) {
    int mark = channel.mark();
    int table = postRead(channel);
    channel.flush();
    channel.release(mark);
    for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
      if (number(channel.staging(), table, entry) == number) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if no compute node has the pool open, or has failed and is not recovered yet. */
  public static boolean isEmpty(Channel channel) {
    int mark = channel.mark();
    int table = postRead(channel);
    channel.flush();
    channel.release(mark);
    for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
      if (tenant(channel.staging(), table, entry) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if an entry belongs to a tenant. */
  public static boolean isOf(Channel channel, int entry, long tenant) {
    return word(channel, entry, SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET) == tenant;
  }

  private static long word(Channel channel, int entry, int of) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(SuperblockLayout.computeNode(entry) + of, offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
    return channel.staging().get(ValueLayout.JAVA_LONG, offset);
  }

  /** Lets the numbers of compute nodes begin again. For a pool that no compute node shares. */
  public static void restartNumbers(Channel channel) {
    channel.writeLong(PoolAddress.of(0, SuperblockLayout.JOINS_OFFSET), 0);
    channel.flush();
  }

  /** Posts the horizon of a compute node, which the other compute nodes read. */
  public static void postHorizon(Channel channel, ComputeNodeEntry node, long horizon) {
    channel.writeLong(
        SuperblockLayout.computeNode(node.entry()) + SuperblockLayout.COMPUTE_NODE_HORIZON_OFFSET,
        horizon);
  }

  /**
   * Posts the version of the configuration that a compute node has settled: it has done its part of
   * all changes up to that version.
   */
  public static void postSettled(Channel channel, ComputeNodeEntry node, long version) {
    channel.writeLong(
        SuperblockLayout.computeNode(node.entry()) + SuperblockLayout.COMPUTE_NODE_SETTLED_OFFSET,
        version);
  }

  /**
   * Returns the version of the configuration that a compute node has settled, in a copy of the
   * table; 0 if it is not in the table.
   */
  public static long settled(MemorySegment staging, int table, ComputeNodeEntry node) {
    return word(staging, table, node, SuperblockLayout.COMPUTE_NODE_SETTLED_OFFSET);
  }

  private static long word(MemorySegment staging, int table, ComputeNodeEntry node, int offset) {
    long at = table + (long) node.entry() * SuperblockLayout.COMPUTE_NODE_LENGTH;
    return staging.get(ValueLayout.JAVA_LONG, at) == node.number()
        ? staging.get(ValueLayout.JAVA_LONG, at + offset)
        : 0;
  }

  /**
   * Posts the serial of the schema change that a compute node has settled: it has done its part of
   * all changes up to that serial.
   */
  public static void postSettledSchema(Channel channel, ComputeNodeEntry node, long serial) {
    channel.writeLong(
        SuperblockLayout.computeNode(node.entry()) + SuperblockLayout.COMPUTE_NODE_SCHEMA_OFFSET,
        serial);
  }

  /**
   * Returns the serial of the schema change that a compute node has settled, in a copy of the
   * table; 0 if it is not in the table.
   */
  public static long settledSchema(MemorySegment staging, int table, ComputeNodeEntry node) {
    return word(staging, table, node, SuperblockLayout.COMPUTE_NODE_SCHEMA_OFFSET);
  }

  /**
   * Returns the horizon of a compute node, in a copy of the table; 0 if it is not in the table, or
   * has none yet.
   */
  public static long horizon(MemorySegment staging, int table, ComputeNodeEntry node) {
    return word(staging, table, node, SuperblockLayout.COMPUTE_NODE_HORIZON_OFFSET);
  }

  /** Posts a READ of the table; returns its offset in the staging buffer. */
  public static int postRead(Channel channel) {
    int length = SuperblockLayout.LENGTH - SuperblockLayout.COMPUTE_NODES_OFFSET;
    int offset = channel.reserve(length);
    channel.read(SuperblockLayout.computeNode(0), offset, length);
    return offset;
  }

  /**
   * Returns an entry, in a copy of the table, that points to donated free memory; -1 if there is
   * none.
   *
   * @param first entry at which the search begins
   */
  public static int entryWithMemory(MemorySegment staging, int table, int first) {
    for (int i = 0; i < SuperblockLayout.COMPUTE_NODES; i++) {
      int entry = (first + i) % SuperblockLayout.COMPUTE_NODES;
      if ((memoryLeft(staging, table, entry) & PoolAddress.MASK) != PoolAddress.NULL) {
        return entry;
      }
    }
    return -1;
  }

  /**
   * Returns the pointer to donated free memory in an entry of a copy of the table, with its tag.
   */
  public static long memoryLeft(MemorySegment staging, int table, int entry) {
    long at = table + (long) entry * SuperblockLayout.COMPUTE_NODE_LENGTH;
    return staging.get(ValueLayout.JAVA_LONG, at + SuperblockLayout.COMPUTE_NODE_DONATED_OFFSET);
  }

  /** Returns true if a copy of the table has an entry of another compute node. */
  public static boolean hasOthers(MemorySegment staging, int table, ComputeNodeEntry node) {
    for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
      if (entry != node.entry() && tenant(staging, table, entry) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the lowest horizon of the other compute nodes, in a copy of the table; the largest
   * number if there are none.
   */
  public static long horizonOfOthers(MemorySegment staging, int table, ComputeNodeEntry node) {
    long lowest = Long.MAX_VALUE;
    for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
      long at = table + (long) entry * SuperblockLayout.COMPUTE_NODE_LENGTH;
      if (entry != node.entry() && staging.get(ValueLayout.JAVA_LONG, at) != 0) {
        long horizon =
            staging.get(ValueLayout.JAVA_LONG, at + SuperblockLayout.COMPUTE_NODE_HORIZON_OFFSET);
        lowest = Math.min(lowest, horizon);
      }
    }
    return lowest;
  }
}
