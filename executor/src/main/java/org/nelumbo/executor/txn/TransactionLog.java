package org.nelumbo.executor.txn;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.LogLayout;

/**
 * A coordinator's log in the pool: which cells its current transaction writes (LOTUS section 5.1;
 * old versions are the undo data, so the log is small). Blocks are chained, allocated once and
 * reused; a transaction's entries begin in the first block. Inserts and deletes are logged like
 * updates (invariant 4). Not thread-safe.
 */
final class TransactionLog {
  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private long[] blocks = new long[1];
  private int blockCount;
  private int entries;
  private int stagedFrom;
  private int stagedOffset;
  private long transactionId;

  TransactionLog(Channel channel, PoolAllocator allocator) {
    this.channel = channel;
    this.staging = channel.staging();
    this.allocator = allocator;
  }

  /** Makes room for a transaction's entries; false if the pool is exhausted. */
  boolean reserve(int count) {
    while (blockCount * LogLayout.ENTRIES_PER_BLOCK < count) {
      long block = allocator.allocate(LogLayout.BLOCK_CLASS);
      if (block == PoolAddress.NULL) {
        return false;
      }
      if (blockCount == blocks.length) {
        blocks = Arrays.copyOf(blocks, blockCount * 2);
      }
      LogLayout.postNewBlock(channel, block);
      if (blockCount > 0) {
        channel.writeLong(blocks[blockCount - 1] + LogLayout.NEXT_OFFSET, block);
      }
      channel.flush();
      blocks[blockCount++] = block;
    }
    return true;
  }

  /** Address of the first block, 0 before the first commit: where recovery starts reading. */
  long firstBlock() {
    return blocks[0];
  }

  void begin(long id) {
    transactionId = id;
    entries = 0;
    stagedFrom = 0;
    stagedOffset = -1;
  }

  /** Adds a cell that is being written; posts what is staged whenever a piece is full. */
  void add(long cvt, int cell, long newWord0) {
    if (stagedOffset < 0) {
      stagedOffset = channel.reserve(LogLayout.PIECE_ENTRIES * LogLayout.ENTRY_LENGTH);
      stagedFrom = entries;
    }
    int at = stagedOffset + (entries - stagedFrom) * LogLayout.ENTRY_LENGTH;
    staging.set(ValueLayout.JAVA_LONG, at, LogLayout.entryWord0(cvt, cell));
    staging.set(ValueLayout.JAVA_LONG, at + Long.BYTES, newWord0);
    entries++;
    if (entries % LogLayout.PIECE_ENTRIES == 0) {
      postPiece();
    }
  }

  private void postPiece() {
    int block = stagedFrom / LogLayout.ENTRIES_PER_BLOCK;
    int index = stagedFrom % LogLayout.ENTRIES_PER_BLOCK;
    long address = blocks[block] + LogLayout.ENTRIES_OFFSET + (long) index * LogLayout.ENTRY_LENGTH;
    channel.write(address, stagedOffset, (entries - stagedFrom) * LogLayout.ENTRY_LENGTH);
    stagedOffset = -1;
  }

  /** Posts the entries that are still in the staging buffer only. */
  void postStaged() {
    if (stagedOffset >= 0) {
      postPiece();
    }
  }

  /** Posts the rest and, last, the header that makes the log whole. */
  void post() {
    postStaged();
    int header = channel.reserve(LogLayout.HEADER_LENGTH);
    staging.set(ValueLayout.JAVA_LONG, header, transactionId);
    staging.set(ValueLayout.JAVA_LONG, header + Long.BYTES, entries);
    channel.write(blocks[0] + LogLayout.TRANSACTION_OFFSET, header, 2 * Long.BYTES);
  }

  /** Gives the blocks back; the coordinator is closing and has no transaction. */
  void close() {
    for (int i = 0; i < blockCount; i++) {
      allocator.free(blocks[i], LogLayout.BLOCK_CLASS);
    }
    blockCount = 0;
  }
}
