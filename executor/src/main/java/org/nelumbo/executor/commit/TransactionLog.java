package org.nelumbo.executor.commit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.context.CoordinatorContext;

/**
 * A coordinator's log in the pool, which names the cells that its current transaction writes (LOTUS
 * section 5.1). Old versions are the undo data, so the log is small. Blocks are chained, allocated
 * once and reused; the entries of a transaction start in the first block. Inserts and deletes are
 * logged like updates (invariant 4 of {@code docs/architecture.md}). The first block is entered in
 * the {@link LogDirectory}, where recovery starts reading. Not thread-safe.
 *
 * <p>A transaction id consists of the compute node, the coordinator's slot and a count. The
 * INVISIBLE cells of the transaction carry it, too. This is necessary because the log of an idle
 * coordinator stays in the pool for a long time. Its entries may match a cell that another
 * transaction has written since, as CV and record address are reused. The count continues when
 * another coordinator uses the slot.
 */
public final class TransactionLog {
  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private final LogDirectory directory;
  private final LogParts parts;
  private final int slot;

  private final long node;

  /** Place of the first block in the directory, if there is one. */
  private int place;

  private long[] blocks = new long[1];
  private int blockCount;

  /** Number of leading blocks that were not taken from the pool's reserve. */
  private int ownBlocks;

  private int entries;
  private int stagedFrom;
  private int stagedOffset;
  private long transactionId;
  private long transactions;
  private long checksum;

  public TransactionLog(CoordinatorContext context, LogDirectory directory) {
    this.channel = context.channel();
    this.staging = channel.staging();
    this.allocator = context.allocator();
    this.directory = directory;
    this.parts = new LogParts(context, directory);
    this.slot = context.slot();
    this.node = context.node().number();
    this.transactions = directory.transactions(slot);
  }

  /**
   * Makes room for the entries of a transaction; returns false if the pool is exhausted.
   *
   * @param mayUseReserve true if the transaction needs no memory except the log; {@link
   *     #giveReserveBack} returns all of it but the first block
   */
  boolean reserve(int count, boolean mayUseReserve) {
    while (blockCount * LogLayout.ENTRIES_PER_BLOCK < count) {
      long block = allocator.allocate(LogLayout.BLOCK_CLASS);
      boolean isOwn = block != PoolAddress.NULL && ownBlocks == blockCount;
      if (block == PoolAddress.NULL && blockCount == 0) {
        block = directory.takeSpare();
        isOwn = block != PoolAddress.NULL;
      }
      if (block == PoolAddress.NULL && mayUseReserve) {
        block = allocator.allocateReserved(LogLayout.BLOCK_CLASS);
      }
      if (block == PoolAddress.NULL) {
        return false;
      }
      if (blockCount == blocks.length) {
        blocks = Arrays.copyOf(blocks, blockCount * 2);
      }
      postNewBlock(channel, block);
      channel.flush();
      if (blockCount > 0) {
        channel.writeLong(blocks[blockCount - 1] + LogLayout.NEXT_OFFSET, block);
        channel.flush();
      } else {
        place = directory.enter(channel, allocator, block, mayUseReserve);
        if (place < 0) {
          directory.giveBack(allocator, block);
          return false;
        }
      }
      blocks[blockCount++] = block;
      if (isOwn) {
        ownBlocks = blockCount;
      }
      if (blockCount == 1) {
        directory.fillSpares(allocator);
      }
    }
    return true;
  }

  /** Returns blocks of the pool's reserve, when there is no transaction or it is visible. */
  void giveReserveBack() {
    int kept = Math.max(ownBlocks, 1);
    if (blockCount <= kept) {
      return;
    }
    channel.writeLong(blocks[kept - 1] + LogLayout.NEXT_OFFSET, PoolAddress.NULL);
    channel.flush();
    while (blockCount > kept) {
      allocator.free(blocks[--blockCount], LogLayout.BLOCK_CLASS);
    }
  }

  /** Posts the header of a new, empty block. */
  static void postNewBlock(Channel channel, long block) {
    for (int offset = 0; offset < LogLayout.HEADER_LENGTH; offset += Long.BYTES) {
      channel.writeLong(block + offset, 0L);
    }
  }

  /**
   * Makes room for the cells of a transaction that have their timestamp from the beginning; returns
   * false if they are too many, or a node has no room. {@link #postParts} follows {@link #begin}.
   */
  boolean reserveParts(WriteSet writes) {
    return parts.reserve(writes);
  }

  /** Posts the logs of such a transaction, which precede its cells in each list of verbs. */
  void postParts(WriteSet writes, long timestamp) {
    parts.post(writes, transactionId, timestamp);
  }

  /** Begins the log of the next transaction; returns its id. */
  long begin() {
    transactionId = TransactionId.of(node, slot, transactions++);
    checksum = LogLayout.addToChecksum(0, transactionId);
    entries = 0;
    stagedFrom = 0;
    stagedOffset = -1;
    return transactionId;
  }

  /** Adds a cell that is being written. Posts the staged entries whenever a piece is full. */
  void add(long cvt, int cell, long newWord0) {
    if (stagedOffset < 0) {
      stagedOffset =
          channel.reserve(
              LogLayout.HEADER_LENGTH + LogLayout.PIECE_ENTRIES * LogLayout.ENTRY_LENGTH);
      stagedFrom = entries;
    }
    int at =
        stagedOffset + LogLayout.HEADER_LENGTH + (entries - stagedFrom) * LogLayout.ENTRY_LENGTH;
    long word0 = LogLayout.entryWord0(cvt, cell);
    staging.set(ValueLayout.JAVA_LONG, at, word0);
    staging.set(ValueLayout.JAVA_LONG, at + Long.BYTES, newWord0);
    checksum = LogLayout.addToChecksum(LogLayout.addToChecksum(checksum, word0), newWord0);
    entries++;
    if (entries % LogLayout.PIECE_ENTRIES == 0) {
      postPiece();
    }
  }

  private void postPiece() {
    int block = stagedFrom / LogLayout.ENTRIES_PER_BLOCK;
    int index = stagedFrom % LogLayout.ENTRIES_PER_BLOCK;
    long address = blocks[block] + LogLayout.ENTRIES_OFFSET + (long) index * LogLayout.ENTRY_LENGTH;
    channel.write(address, stagedOffset + LogLayout.HEADER_LENGTH, stagedBytes());
    stagedOffset = -1;
  }

  private int stagedBytes() {
    return (entries - stagedFrom) * LogLayout.ENTRY_LENGTH;
  }

  /** Posts the entries that are only in the staging buffer. */
  void postStaged() {
    if (stagedOffset >= 0) {
      postPiece();
    }
  }

  /**
   * Posts the remaining entries and the header that completes the log: in one write, if no entries
   * were posted before. The checksum detects a log that was only partly written.
   */
  void post() {
    boolean isOneWrite = stagedOffset >= 0 && stagedFrom == 0;
    if (!isOneWrite) {
      postStaged();
    }
    int header = isOneWrite ? stagedOffset : channel.reserve(LogLayout.HEADER_LENGTH);
    staging.set(ValueLayout.JAVA_LONG, header + LogLayout.TRANSACTION_OFFSET, transactionId);
    staging.set(ValueLayout.JAVA_LONG, header + LogLayout.COUNT_OFFSET, entries);
    staging.set(ValueLayout.JAVA_LONG, header + LogLayout.CHECKSUM_OFFSET, checksum);
    int length = LogLayout.ENTRIES_OFFSET - LogLayout.TRANSACTION_OFFSET;
    channel.write(
        blocks[0] + LogLayout.TRANSACTION_OFFSET,
        header + LogLayout.TRANSACTION_OFFSET,
        isOneWrite ? length + stagedBytes() : length);
    stagedOffset = -1;
  }

  /** Returns the blocks when the coordinator is closed and has no transaction. */
  public void close() {
    directory.setTransactions(slot, transactions);
    parts.close();
    if (blockCount > 0) {
      directory.leave(channel, place);
    }
    for (int i = 0; i < blockCount; i++) {
      directory.giveBack(allocator, blocks[i]);
    }
    blockCount = 0;
    ownBlocks = 0;
  }
}
