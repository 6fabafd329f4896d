package org.nelumbo.dm.alloc;

import java.util.Arrays;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A queue of blocks that may still have readers, in the order they were retired. A block leaves the
 * queue when the horizon has passed its timestamp. The timestamps of one coordinator hardly ever
 * step back; if they do, a block waits for the one before it.
 *
 * <p>The queue is a ring of two words per block: address and size class in one, timestamp in the
 * other.
 */
final class RetireQueue {
  private static final int FIRST_CAPACITY = 8;

  private long[] ring = new long[2 * FIRST_CAPACITY];
  private int head;
  private int size;
  private long bytes;

  int size() {
    return size;
  }

  /** Returns the bytes of all blocks in the queue. */
  long bytes() {
    return bytes;
  }

  void add(long address, int sizeClass, long timestamp) {
    if (2 * size == ring.length) {
      grow();
    }
    int at = 2 * (head + size) % ring.length;
    ring[at] = (long) sizeClass << PoolAddress.BITS | address;
    ring[at + 1] = timestamp;
    size++;
    bytes += SizeClass.bytes(sizeClass);
  }

  /** Returns true if {@link #poll} would return a block. */
  boolean isReady(long horizon) {
    return size > 0 && ring[2 * head + 1] < horizon;
  }

  /** Removes the first block; the result contains its {@link #address} and {@link #sizeClass}. */
  long poll() {
    long block = ring[2 * head];
    head = (head + 1) % (ring.length / 2);
    size--;
    bytes -= SizeClass.bytes(sizeClass(block));
    return block;
  }

  static long address(long block) {
    return block & PoolAddress.MASK;
  }

  static int sizeClass(long block) {
    return (int) (block >>> PoolAddress.BITS);
  }

  /**
   * Passes the address and size class of each block to an action. The caller has stopped all other
   * threads.
   */
  void forEach(BlockAction action) {
    for (int i = 0; i < size; i++) {
      long block = ring[2 * (head + i) % ring.length];
      action.accept(address(block), sizeClass(block));
    }
  }

  /** An action on a block. */
  @FunctionalInterface
  interface BlockAction {
    void accept(long address, int sizeClass);
  }

  /** Moves all blocks to another queue, with their timestamps. */
  void moveTo(RetireQueue other) {
    while (size > 0) {
      long timestamp = ring[2 * head + 1];
      long block = poll();
      other.add(address(block), sizeClass(block), timestamp);
    }
  }

  private void grow() {
    long[] larger = Arrays.copyOf(ring, ring.length * 2);
    int wrapped = 2 * head;
    System.arraycopy(ring, 0, larger, ring.length, wrapped);
    ring = larger;
  }
}
