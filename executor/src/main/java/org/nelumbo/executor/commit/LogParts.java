package org.nelumbo.executor.commit;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CommitLogLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * A coordinator's logs of transactions whose cells have their timestamp from the beginning ({@link
 * CommitLogLayout}). If a cell of a transaction that was not published is in the pool, then the log
 * that names it is, too. Each log is a block, which is reused. Not thread-safe.
 */
final class LogParts {
  private static final int NODES_MAX = Long.SIZE;

  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private final LogDirectory directory;

  /** Block on each node, or NULL. */
  private long[] blocks = {};

  /** Place of each block in the directory. */
  private int[] places = {};

  /** Nodes of the cells and records of the present transaction, one bit per node. */
  private long nodes;

  LogParts(CoordinatorContext context, LogDirectory directory) {
    this.channel = context.channel();
    this.staging = channel.staging();
    this.allocator = context.allocator();
    this.directory = directory;
  }

  /**
   * Makes room for the logs of a transaction whose memory is allocated; returns false if it has too
   * many cells, or a node has no room for a block.
   */
  boolean reserve(WriteSet writes) {
    nodes = 0;
    if (writes.size() > CommitLogLayout.ENTRIES_MAX) {
      return false;
    }
    for (int entry = 0; entry < writes.size(); entry++) {
      if (writes.isWritten(entry)) {
        if (!add(PoolAddress.node(writes.cvt(entry))) || !add(recordNode(writes, entry))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns the node of an entry's new record, which is that of its CVT if it has no own block. */
  private static int recordNode(WriteSet writes, int entry) {
    long newWord0 = writes.plan(entry).newWord0();
    return PoolAddress.node(
        CellLayout.hasOwnBlock(newWord0) ? CellLayout.address(newWord0) : writes.cvt(entry));
  }

  private boolean add(int node) {
    if (node >= NODES_MAX || !hasBlock(node)) {
      return false;
    }
    nodes |= 1L << node;
    return true;
  }

  private boolean hasBlock(int node) {
    if (node >= blocks.length) {
      blocks = Arrays.copyOf(blocks, node + 1);
      places = Arrays.copyOf(places, node + 1);
    }
    return blocks[node] != PoolAddress.NULL || allocate(node);
  }

  private boolean allocate(int node) {
    long block = allocator.allocateAt(LogLayout.BLOCK_CLASS, node);
    if (block == PoolAddress.NULL) {
      return false;
    }
    int place = -1;
    if (PoolAddress.node(block) == node) {
      TransactionLog.postNewBlock(channel, block);
      channel.flush();
      place = directory.enter(channel, allocator, block, false);
    }
    if (place < 0) {
      allocator.free(block, LogLayout.BLOCK_CLASS);
      return false;
    }
    blocks[node] = block;
    places[node] = place;
    return true;
  }

  /** Posts the logs of the transaction for which {@link #reserve} was called last. */
  void post(WriteSet writes, long transaction, long timestamp) {
    for (long left = nodes; left != 0; left &= left - 1) {
      post(writes, transaction, timestamp, Long.numberOfTrailingZeros(left));
    }
  }

  private void post(WriteSet writes, long transaction, long timestamp, int node) {
    int offset = channel.reserve(CommitLogLayout.length(writes.size()));
    int count = 0;
    for (int entry = 0; entry < writes.size(); entry++) {
      long cvt = writes.cvt(entry);
      if (writes.isWritten(entry)
          && (PoolAddress.node(cvt) == node || recordNode(writes, entry) == node)) {
        VersionSlotPlan plan = writes.plan(entry);
        CommitLogLayout.setEntry(
            staging,
            offset,
            count++,
            LogLayout.entryWord0(cvt, plan.cell()),
            plan.newWord0(),
            plan.overflowBlock());
      }
    }
    CommitLogLayout.setHeader(staging, offset, transaction, count, timestamp);
    channel.write(
        blocks[node] + LogLayout.TRANSACTION_OFFSET,
        offset + LogLayout.TRANSACTION_OFFSET,
        CommitLogLayout.length(count) - LogLayout.TRANSACTION_OFFSET);
  }

  /** Returns the blocks when the coordinator is closed and has no transaction. */
  void close() {
    for (int node = 0; node < blocks.length; node++) {
      if (blocks[node] != PoolAddress.NULL) {
        directory.leave(channel, places[node]);
        directory.giveBack(allocator, blocks[node]);
      }
    }
    blocks = new long[0];
  }
}
