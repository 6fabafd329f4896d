package org.nelumbo.executor.commit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.context.CoordinatorContext;

/**
 * A coordinator's logs of transactions whose cells have their timestamp from the beginning. Such a
 * transaction has a log on each logical node on which it writes cells, and the log is written before
 * them in the same list of verbs. So if a cell of a transaction that was not published is in the
 * pool, then the log that names it is, too. Each log is a block, which is reused. Not thread-safe.
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

  /** Nodes of the cells of the present transaction, one bit per node. */
  private long nodes;

  LogParts(CoordinatorContext context, LogDirectory directory) {
    this.channel = context.channel();
    this.staging = channel.staging();
    this.allocator = context.allocator();
    this.directory = directory;
  }

  /**
   * Makes room for the cells of a transaction; returns false if it has too many cells, or a node has
   * no room for a block.
   */
  boolean reserve(WriteSet writes) {
    nodes = 0;
    if (writes.size() > LogLayout.PIECE_ENTRIES) {
      return false;
    }
    for (int entry = 0; entry < writes.size(); entry++) {
      if (writes.isWritten(entry)) {
        int node = PoolAddress.node(writes.cvt(entry));
        if (node >= NODES_MAX || !hasBlock(node)) {
          return false;
        }
        nodes |= 1L << node;
      }
    }
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
      place = directory.enter(channel, allocator, block);
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
  void post(WriteSet writes, long transaction) {
    for (long left = nodes; left != 0; left &= left - 1) {
      post(writes, transaction, Long.numberOfTrailingZeros(left));
    }
  }

  private void post(WriteSet writes, long transaction, int node) {
    int offset =
        channel.reserve(LogLayout.HEADER_LENGTH + writes.size() * LogLayout.ENTRY_LENGTH);
    int at = offset + LogLayout.ENTRIES_OFFSET;
    long checksum = LogLayout.addToChecksum(0, transaction);
    int count = 0;
    for (int entry = 0; entry < writes.size(); entry++) {
      if (writes.isWritten(entry) && PoolAddress.node(writes.cvt(entry)) == node) {
        long word0 = LogLayout.entryWord0(writes.cvt(entry), writes.plan(entry).cell());
        long newWord0 = writes.plan(entry).newWord0();
        staging.set(ValueLayout.JAVA_LONG, at, word0);
        staging.set(ValueLayout.JAVA_LONG, at + Long.BYTES, newWord0);
        checksum = LogLayout.addToChecksum(LogLayout.addToChecksum(checksum, word0), newWord0);
        at += LogLayout.ENTRY_LENGTH;
        count++;
      }
    }
    staging.set(ValueLayout.JAVA_LONG, offset + LogLayout.TRANSACTION_OFFSET, transaction);
    staging.set(ValueLayout.JAVA_LONG, offset + LogLayout.COUNT_OFFSET, count);
    staging.set(ValueLayout.JAVA_LONG, offset + LogLayout.CHECKSUM_OFFSET, checksum);
    channel.write(
        blocks[node] + LogLayout.TRANSACTION_OFFSET,
        offset + LogLayout.TRANSACTION_OFFSET,
        at - offset - LogLayout.TRANSACTION_OFFSET);
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
