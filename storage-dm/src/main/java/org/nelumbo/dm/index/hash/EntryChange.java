package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Single attempts to insert or remove an entry: READ window and latch; then CAS the slot and READ
 * the latch after it. The latch decides (invariant I4). If the segment is free and of the same
 * depth, no split can have read the segment before the CAS and overwritten it afterwards. Otherwise
 * the split may or may not include the change, and the whole attempt must be repeated. Thread-safe.
 */
final class EntryChange {
  /** The entry was inserted or removed by this attempt. */
  static final int DONE = 0;

  /** The entry was already present, or absent, as wanted. */
  static final int NOTHING_TO_DO = 1;

  /** The slot was changed, but a split may have read it before: try again. */
  static final int UNSETTLED = 2;

  /** Nothing was changed: try again. */
  static final int AGAIN = 3;

  /** The pool has no memory left; nothing was changed. */
  static final int EXHAUSTED = 4;

  private final Environment environment;
  private final DirectoryCache directory;
  private final ToLongFunction<Channel> clock;
  private final int owner;
  private final AtomicReference<SegmentGrowth> spareGrowth = new AtomicReference<>();

  EntryChange(
      Environment environment, DirectoryCache directory, ToLongFunction<Channel> clock, int owner) {
    this.environment = environment;
    this.directory = directory;
    this.clock = clock;
    this.owner = owner;
  }

  /**
   * Inserts an entry that is absent, using the window of a lookup; returns DONE, AGAIN or
   * UNSETTLED.
   */
  int tryInsert(Channel channel, long hash, long cvt, HashProbe probe) {
    long slot = freeSlot(channel, hash, probe);
    if (slot == PoolAddress.NULL) {
      return AGAIN;
    }
    long word = SegmentProbe.word(probe.entry, hash, cvt);
    orderAfterCvt(channel, slot, cvt);
    return replace(
        channel, probe.entry, slot, HashSlotLayout.free(Directory.depth(probe.entry)), word);
  }

  /**
   * Returns the address of a free slot in the window of a lookup, or else in the overflow block
   * that was read with it; NULL if there is none.
   */
  private static long freeSlot(Channel channel, long hash, HashProbe probe) {
    int index = WindowScan.findFree(channel.staging(), probe.offset);
    if (index != WindowScan.NONE) {
      return Directory.window(probe.entry, KeyHash.home(hash)) + (long) index * Long.BYTES;
    }
    if (probe.blockOffset == HashProbe.NOT_POSTED) {
      return PoolAddress.NULL;
    }
    index = WindowScan.findFree(channel.staging(), probe.blockOffset);
    return index == WindowScan.NONE ? PoolAddress.NULL : probe.block + (long) index * Long.BYTES;
  }

  /**
   * Posts the verbs of {@link #tryInsert(Channel, long, long, HashProbe)}. Returns the staging
   * offset of the results, an argument for {@link #isDone}; -1 if there is no free slot, or none on
   * the node of the latch, where the slot changes before the latch is read.
   */
  int postInsert(Channel channel, long hash, long cvt, HashProbe probe) {
    long slot = freeSlot(channel, hash, probe);
    if (slot == PoolAddress.NULL
        || PoolAddress.node(slot) != PoolAddress.node(Directory.segment(probe.entry))) {
      return -1;
    }
    int offset = channel.reserve(2 * Long.BYTES);
    long expected = HashSlotLayout.free(Directory.depth(probe.entry));
    channel.compareAndSwap(slot, expected, SegmentProbe.word(probe.entry, hash, cvt), offset);
    channel.read(
        Directory.segment(probe.entry) + HashSegmentLayout.LATCH_OFFSET,
        offset + Long.BYTES,
        Long.BYTES);
    return offset;
  }

  /** Returns true, after the flush, if the entry is present. */
  static boolean isDone(Channel channel, int offset, HashProbe probe) {
    return channel.hasSwapped(offset, HashSlotLayout.free(Directory.depth(probe.entry)))
        && isFree(channel, offset + Long.BYTES, probe.entry);
  }

  /**
   * Posts the removal of an entry that is in the window of a lookup. Returns the staging offset of
   * the results, an argument for {@link #isRemoved}; -1 if the entry is not there.
   */
  int postRemove(Channel channel, long hash, long cvt, HashProbe probe) {
    long word = SegmentProbe.word(probe.entry, hash, cvt);
    int index = WindowScan.find(channel.staging(), probe.offset, word);
    if (index == WindowScan.NONE) {
      return -1;
    }
    int offset = channel.reserve(2 * Long.BYTES);
    channel.compareAndSwap(
        Directory.window(probe.entry, KeyHash.home(hash)) + (long) index * Long.BYTES,
        word,
        HashSlotLayout.free(Directory.depth(probe.entry)),
        offset);
    channel.read(
        Directory.segment(probe.entry) + HashSegmentLayout.LATCH_OFFSET,
        offset + Long.BYTES,
        Long.BYTES);
    return offset;
  }

  /** Returns true, after the flush, if the entry is removed and cannot reappear. */
  static boolean isRemoved(Channel channel, int offset, long hash, long cvt, HashProbe probe) {
    return offset >= 0
        && channel.hasSwapped(offset, SegmentProbe.word(probe.entry, hash, cvt))
        && isFree(channel, offset + Long.BYTES, probe.entry);
  }

  /** A reader that finds the entry must find the CVT, and verbs to two nodes have no order. */
  private static void orderAfterCvt(Channel channel, long slot, long cvt) {
    if (PoolAddress.node(slot) != PoolAddress.node(cvt)) {
      channel.flush();
    }
  }

  int tryInsert(Channel channel, PoolAllocator allocator, long hash, long cvt) {
    long entry = directory.get(channel).lookup(hash);
    int home = KeyHash.home(hash);
    long window = Directory.window(entry, home);
    int offset = readSettled(channel, hash, entry);
    if (offset < 0) {
      return AGAIN;
    }
    long word = SegmentProbe.word(entry, hash, cvt);
    SegmentProbe.Places places = SegmentProbe.findOrFree(channel, window, offset, home, word);
    if (places.taken() != PoolAddress.NULL) {
      return NOTHING_TO_DO;
    }
    if (places.free() == PoolAddress.NULL) {
      return grow(channel, allocator, hash, entry, word);
    }
    orderAfterCvt(channel, places.free(), cvt);
    return replace(
        channel, entry, places.free(), HashSlotLayout.free(Directory.depth(entry)), word);
  }

  int tryRemove(Channel channel, long hash, long cvt) {
    long entry = directory.get(channel).lookup(hash);
    int home = KeyHash.home(hash);
    int offset = readSettled(channel, hash, entry);
    if (offset < 0) {
      return AGAIN;
    }
    long word = SegmentProbe.word(entry, hash, cvt);
    long slot = SegmentProbe.find(channel, Directory.window(entry, home), offset, home, word);
    return slot == PoolAddress.NULL
        ? NOTHING_TO_DO
        : replace(channel, entry, slot, word, HashSlotLayout.free(Directory.depth(entry)));
  }

  /**
   * Reads the window of a key and then the latch; returns the staging offset of the window, or -1
   * if the segment was latched or has become deeper.
   */
  private int readSettled(Channel channel, long hash, long entry) {
    long segment = Directory.segment(entry);
    int offset = channel.reserve(HashSegmentLayout.WINDOW_LENGTH + Long.BYTES);
    int latchOffset = offset + HashSegmentLayout.WINDOW_LENGTH;
    channel.read(
        Directory.window(entry, KeyHash.home(hash)), offset, HashSegmentLayout.WINDOW_LENGTH);
    channel.read(segment + HashSegmentLayout.LATCH_OFFSET, latchOffset, Long.BYTES);
    channel.flush();
    if (!directory.isCurrent(channel, hash, entry, offset)) {
      return -1;
    }
    if (!isFree(channel, latchOffset, entry)) {
      SegmentLatch.await(environment, channel, segment);
      return -1;
    }
    return offset;
  }

  private int replace(Channel channel, long entry, long slot, long expected, long replacement) {
    assert expected != replacement : "slot=" + PoolAddress.toString(slot);
    long segment = Directory.segment(entry);
    int offset = channel.reserve(2 * Long.BYTES);
    int latchOffset = offset + Long.BYTES;
    channel.compareAndSwap(slot, expected, replacement, offset);
    if (PoolAddress.node(slot) != PoolAddress.node(segment)) {
      channel.flush();
    }
    channel.read(segment + HashSegmentLayout.LATCH_OFFSET, latchOffset, Long.BYTES);
    channel.flush();
    if (!channel.hasSwapped(offset, expected)) {
      return AGAIN;
    }
    if (isFree(channel, latchOffset, entry)) {
      return DONE;
    }
    SegmentLatch.await(environment, channel, segment);
    return UNSETTLED;
  }

  private static boolean isFree(Channel channel, int latchOffset, long entry) {
    return channel.staging().get(JAVA_LONG, latchOffset)
        == HashSegmentLayout.freeLatch(Directory.depth(entry));
  }

  private int grow(Channel channel, PoolAllocator allocator, long hash, long entry, long word) {
    SegmentGrowth growth = takeGrowth();
    int depth = Directory.depth(entry);
    int result =
        growth.grow(channel, allocator, Directory.segment(entry), depth, KeyHash.home(hash), word);
    giveGrowth(growth);
    return switch (result) {
      case SegmentGrowth.ADDED -> DONE;
      case SegmentGrowth.EXHAUSTED -> EXHAUSTED;
      case SegmentGrowth.SPLIT -> {
        directory.deepened(channel, hash, entry, depth + 1);
        yield AGAIN;
      }
      default -> AGAIN;
    };
  }

  SegmentGrowth takeGrowth() {
    SegmentGrowth spare = spareGrowth.getAndSet(null);
    return spare != null ? spare : new SegmentGrowth(clock, owner);
  }

  void giveGrowth(SegmentGrowth growth) {
    spareGrowth.set(growth);
  }
}
