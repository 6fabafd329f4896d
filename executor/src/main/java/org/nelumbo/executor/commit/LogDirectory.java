package org.nelumbo.executor.commit;

import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The directory of the logs of this compute node's coordinators: where in the pool they begin, so
 * that whoever comes after it finds them: a word for each slot, in the superblock of node 0; those
 * for which it has no room are in a block of their own that is made when the first of them commits.
 * Thread-safe.
 *
 * <p>It keeps a few blocks in reserve, so that sessions that find the pool full when they write for
 * the first time have a log all the same, and can delete.
 */
public final class LogDirectory {
  private static final int EXTENSION_CLASS = SizeClass.of(SuperblockLayout.EXTENSION_LENGTH);

  private static final int SPARES = 4;

  private final ReentrantLock lock = new ReentrantLock();

  /** Blocks that no log has yet; guarded by the lock. */
  private final long[] spares = new long[SPARES];

  private int spareCount;

  /** The block for the slots above the superblock's; NULL until it is needed. */
  private volatile long extension = PoolAddress.NULL;

  /** Enters the first block of a coordinator's log; false if the pool is exhausted. */
  boolean enter(Channel channel, PoolAllocator allocator, int slot, long block) {
    if (slot >= SuperblockLayout.LOGS && !ensureExtension(channel, allocator)) {
      return false;
    }
    write(channel, slot, block);
    return true;
  }

  /** Takes the log of a coordinator out, before its blocks are freed. */
  void leave(Channel channel, int slot) {
    write(channel, slot, PoolAddress.NULL);
  }

  /** Takes what is missing of the reserve, as far as there is room. */
  public void fillReserve(PoolAllocator allocator) {
    while (isReserveShort()) {
      long block = allocator.allocate(LogLayout.BLOCK_CLASS);
      if (block == PoolAddress.NULL) {
        return;
      }
      giveBack(allocator, block);
    }
  }

  private boolean isReserveShort() {
    lock.lock();
    try {
      return spareCount < SPARES;
    } finally {
      lock.unlock();
    }
  }

  /** Adds the reserve to an account of the pool's bytes. */
  public void addTo(PoolUsage account) {
    lock.lock();
    try {
      account.addHeldBack(LogLayout.BLOCK_CLASS, spareCount);
    } finally {
      lock.unlock();
    }
  }

  /** A block of the reserve for a log without any, or NULL. */
  long takeSpare() {
    lock.lock();
    try {
      return spareCount > 0 ? spares[--spareCount] : PoolAddress.NULL;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back a block that no log has, or none any more: into the reserve, if that has room. */
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

  /** Gives back the reserve, and the block that was made here. All logs have been taken out. */
  public void close(Channel channel, PoolAllocator allocator) {
    lock.lock();
    try {
      while (spareCount > 0) {
        allocator.free(spares[--spareCount], LogLayout.BLOCK_CLASS);
      }
      if (extension != PoolAddress.NULL) {
        channel.writeLong(
            PoolAddress.of(0, SuperblockLayout.LOG_EXTENSION_OFFSET), PoolAddress.NULL);
        channel.flush();
        allocator.free(extension, EXTENSION_CLASS);
        extension = PoolAddress.NULL;
      }
    } finally {
      lock.unlock();
    }
  }

  private void write(Channel channel, int slot, long block) {
    long address =
        slot < SuperblockLayout.LOGS
            ? PoolAddress.of(0, SuperblockLayout.LOGS_OFFSET + (long) slot * Long.BYTES)
            : extension + (long) (slot - SuperblockLayout.LOGS) * Long.BYTES;
    channel.writeLong(address, block);
    channel.flush();
  }

  private boolean ensureExtension(Channel channel, PoolAllocator allocator) {
    lock.lock();
    try {
      if (extension == PoolAddress.NULL) {
        long block = allocator.allocate(EXTENSION_CLASS);
        if (block == PoolAddress.NULL) {
          return false;
        }
        for (int slot = 0; slot < SuperblockLayout.EXTENSION_LOGS; slot++) {
          channel.writeLong(block + (long) slot * Long.BYTES, PoolAddress.NULL);
        }
        channel.flush();
        channel.writeLong(PoolAddress.of(0, SuperblockLayout.LOG_EXTENSION_OFFSET), block);
        channel.flush();
        extension = block;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
