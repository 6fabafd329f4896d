package org.nelumbo.executor.commit;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeEntry;

/**
 * The directory of the logs of this compute node's coordinators. It locates their first blocks in
 * the pool, so that recovery and later compute nodes find them. The directory is a chain of blocks
 * with a word for each log; the compute node's entry in the superblock has the first block. Each
 * block is created when its first log is entered. Thread-safe.
 *
 * <p>A few spare blocks are kept. So a session that finds the pool full when it writes for the
 * first time still has a log, and can delete. A compute node that opens a full pool has no spare
 * block; its directory and first logs are then in the reserve of the pool (see {@link
 * PoolAllocator#allocateReserved}).
 */
public final class LogDirectory {
  private static final int SPARES = 4;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final long[] spares = new long[SPARES];

  private int spareCount;

  /** Address of the word that has the first block of the directory. */
  private final long firstBlock;

  /** Guarded by the lock; blocks are allocated as needed. */
  private long[] blocks = new long[8];

  private int blockCount;

  /** Guards the following fields. It is never held during a write to the pool. */
  private final ReentrantLock countLock = new ReentrantLock();

  /** Places of the directory that have a log. */
  private final BitSet places = new BitSet();

  /** Transaction counts of closed coordinators, by slot. */
  private long[] transactions = {};

  public LogDirectory(ComputeNodeEntry node) {
    firstBlock =
        SuperblockLayout.computeNode(node.entry()) + SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET;
  }

  /**
   * Enters the first block of a log; returns its place in the directory, or -1 if the pool is
   * exhausted.
   *
   * @param mayUseReserve true if the log is that of a transaction that makes room; a directory
   *     block from the pool's reserve remains in use as long as the directory
   */
  int enter(Channel channel, PoolAllocator allocator, long block, boolean mayUseReserve) {
    int place = takePlace();
    int count = place / LogLayout.DIRECTORY_LOGS + 1;
    if (!ensureBlocks(channel, allocator, count, mayUseReserve)) {
      givePlace(place);
      return -1;
    }
    write(channel, place, block);
    return place;
  }

  /** Removes the log in a place, before its blocks are freed. */
  void leave(Channel channel, int place) {
    write(channel, place, PoolAddress.NULL);
    givePlace(place);
  }

  private int takePlace() {
    countLock.lock();
    try {
      int place = places.nextClearBit(0);
      places.set(place);
      return place;
    } finally {
      countLock.unlock();
    }
  }

  private void givePlace(int place) {
    countLock.lock();
    try {
      places.clear(place);
    } finally {
      countLock.unlock();
    }
  }

  /** Returns the number of transactions of closed coordinators in a slot. */
  long transactions(int slot) {
    countLock.lock();
    try {
      return slot < transactions.length ? transactions[slot] : 0;
    } finally {
      countLock.unlock();
    }
  }

  /** Records the transaction count of a slot when its coordinator is closed. */
  void setTransactions(int slot, long count) {
    countLock.lock();
    try {
      if (slot >= transactions.length) {
        transactions = Arrays.copyOf(transactions, Math.max(slot + 1, 2 * transactions.length));
      }
      transactions[slot] = count;
    } finally {
      countLock.unlock();
    }
  }

  /** Allocates the missing spare blocks, as far as there is room. */
  public void fillSpares(PoolAllocator allocator) {
    while (lacksSpares()) {
      long block = allocator.allocate(LogLayout.BLOCK_CLASS);
      if (block == PoolAddress.NULL) {
        return;
      }
      giveBack(allocator, block);
    }
  }

  private boolean lacksSpares() {
    lock.lock();
    try {
      return spareCount < SPARES;
    } finally {
      lock.unlock();
    }
  }

  /** Adds the spare blocks and the directory to an account of the pool's bytes. */
  public void addTo(PoolUsage account) {
    lock.lock();
    try {
      account.addHeldBack(LogLayout.BLOCK_CLASS, Arrays.copyOf(spares, spareCount));
      account.addHeldBack(LogLayout.BLOCK_CLASS, blockCount);
    } finally {
      lock.unlock();
    }
  }

  /** Takes a spare block, as the first one of a log; returns NULL if all have been taken. */
  long takeSpare() {
    lock.lock();
    try {
      return spareCount > 0 ? spares[--spareCount] : PoolAddress.NULL;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps a block that is not part of a log as a spare block, or frees it if there are enough. */
  void giveBack(PoolAllocator allocator, long block) {
    lock.lock();
    try {
      if (spareCount < SPARES) {
        spares[spareCount++] = block;
        return;
      }
    } finally {
      lock.unlock();
    }
    allocator.free(block, LogLayout.BLOCK_CLASS);
  }

  /** Frees the spare blocks and the directory itself. All logs have been removed before. */
  public void close(Channel channel, PoolAllocator allocator) {
    lock.lock();
    try {
      while (spareCount > 0) {
        allocator.free(spares[--spareCount], LogLayout.BLOCK_CLASS);
      }
      if (blockCount > 0) {
        channel.writeLong(firstBlock, PoolAddress.NULL);
        channel.flush();
      }
      while (blockCount > 0) {
        allocator.free(blocks[--blockCount], LogLayout.BLOCK_CLASS);
      }
    } finally {
      lock.unlock();
    }
  }

  private void write(Channel channel, int place, long log) {
    long block = block(place / LogLayout.DIRECTORY_LOGS);
    long offset = (long) (place % LogLayout.DIRECTORY_LOGS) * Long.BYTES;
    channel.writeLong(block + LogLayout.DIRECTORY_LOGS_OFFSET + offset, log);
    channel.flush();
  }

  private static void writeEmptyBlock(Channel channel, long block) {
    int mark = channel.mark();
    int offset = channel.reserve(LogLayout.DIRECTORY_LENGTH);
    channel.staging().asSlice(offset, LogLayout.DIRECTORY_LENGTH).fill((byte) 0);
    channel.write(block, offset, LogLayout.DIRECTORY_LENGTH);
    channel.flush();
    channel.release(mark);
  }

  private long block(int index) {
    lock.lock();
    try {
      return blocks[index];
    } finally {
      lock.unlock();
    }
  }

  private boolean ensureBlocks(
      Channel channel, PoolAllocator allocator, int count, boolean mayUseReserve) {
    lock.lock();
    try {
      while (blockCount < count) {
        long block = allocator.allocate(LogLayout.BLOCK_CLASS);
        if (block == PoolAddress.NULL && spareCount > 0) {
          block = spares[--spareCount];
        }
        if (block == PoolAddress.NULL && mayUseReserve) {
          block = allocator.allocateReserved(LogLayout.BLOCK_CLASS);
        }
        if (block == PoolAddress.NULL) {
          return false;
        }
        writeEmptyBlock(channel, block);
        channel.writeLong(
            blockCount == 0 ? firstBlock : blocks[blockCount - 1] + LogLayout.DIRECTORY_NEXT_OFFSET,
            block);
        channel.flush();
        if (blockCount == blocks.length) {
          blocks = Arrays.copyOf(blocks, 2 * blockCount);
        }
        blocks[blockCount++] = block;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
