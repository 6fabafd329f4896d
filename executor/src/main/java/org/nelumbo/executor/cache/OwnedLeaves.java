package org.nelumbo.executor.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.nelumbo.dm.layout.TreeNodeLayout;

/**
 * Images of index leaves whose locks this compute node grants, in a shared pool. An insert into
 * such a leaf, and a search in it, need no READ. Thread-safe.
 *
 * <p><b>Images equal the pool.</b> Only the holder of a leaf's change lock takes the image out, and
 * keeps a new one when its changes have arrived in the pool. {@link #drop} is called before another
 * compute node is granted that lock. An image of a leaf that is no longer owned is not kept, and
 * all such images are dropped before the shard can be owned by another compute node ({@link
 * #forgetShards}): a shard does not move while a change lock in it is held.
 *
 * <p>A repair changes leaves without that lock, but only leaves that a failed compute node has
 * latched. That compute node had their change locks, and a latched leaf is not kept.
 *
 * <p>A direct-mapped table: an image replaces the one of another leaf in its slot.
 */
public final class OwnedLeaves {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** Number of leaves; an image takes about 1.1 KiB. */
  private static final int SLOTS_BITS = 13;

  /** The images of an exclusive pool, which keep nothing. */
  public static final OwnedLeaves NONE = new OwnedLeaves(0);

  private final AtomicReferenceArray<Leaf> slots;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  private volatile LongPredicate owned = _ -> false;

  /**
   * An image.
   *
   * @param index identity of the index; another index may have had a leaf at the same address
   */
  private record Leaf(long address, Object index, byte[] bytes) {}

  OwnedLeaves() {
    this(SLOTS_BITS);
  }

  private OwnedLeaves(int bits) {
    this.slots = new AtomicReferenceArray<>(1 << bits);
  }

  /** Begins to keep images of leaves whose locks are granted here. */
  void share(LongPredicate isOwned) {
    owned = isOwned;
  }

  private int slot(long address) {
    return (int) (address * SPREAD >>> Integer.SIZE) & slots.length() - 1;
  }

  /**
   * Returns the image of a leaf, which is no longer kept; null if there is none. An image for
   * another object of the index, from before a change of the schema, is removed, too.
   */
  public byte[] take(Object index, long leaf) {
    Leaf found = slots.get(slot(leaf));
    if (found == null || found.address != leaf || !remove(found) || found.index != index) {
      misses.increment();
      return null;
    }
    hits.increment();
    return found.bytes;
  }

  /** Returns the image of a leaf, which is still kept; null if the leaf is not here. */
  byte[] get(Object index, long leaf) {
    Leaf found = slots.get(slot(leaf));
    boolean isFound = found != null && found.address == leaf && found.index == index;
    (isFound ? hits : misses).increment();
    return isFound ? found.bytes : null;
  }

  private boolean remove(Leaf leaf) {
    return slots.compareAndSet(slot(leaf.address), leaf, null);
  }

  /** Keeps an image, which the caller no longer changes. */
  public void keep(Object index, long leaf, byte[] bytes) {
    if (isOwned(leaf)) {
      Leaf kept = new Leaf(leaf, index, bytes);
      slots.set(slot(leaf), kept);
      if (!isOwned(leaf)) {
        remove(kept); // forgetShards may have passed this slot before
      }
    }
  }

  /** Returns true if the image of a leaf may be kept. */
  public boolean isOwned(long leaf) {
    return owned.test(leaf);
  }

  /** Removes the image of a leaf. */
  void drop(long leaf) {
    Leaf found = slots.get(slot(leaf));
    if (found != null && found.address == leaf) {
      remove(found);
    }
  }

  /** Removes the images of leaves whose locks are no longer granted here. */
  void forgetShards(LongPredicate keys) {
    for (int i = 0; i < slots.length(); i++) {
      Leaf found = slots.get(i);
      if (found != null && keys.test(found.address)) {
        slots.compareAndSet(i, found, null);
      }
    }
  }

  /** Returns the counts of accesses that found an image, and of those that did not. */
  public CacheCounts counts() {
    return new CacheCounts(hits.sum(), misses.sum(), 0, 0, slots.length());
  }

  /**
   * Checks, while no thread changes a leaf, that each image has the latch and the version of the
   * pool. For tests.
   *
   * @param isChanging returns true if the change lock of a leaf is held
   * @param pool returns the word at an address of the pool, without using the fabric
   * @throws IllegalStateException if an image differs
   */
  public void verify(LongPredicate isChanging, LongUnaryOperator pool) {
    for (int i = 0; i < slots.length(); i++) {
      Leaf found = slots.get(i);
      if (found != null && !isChanging.test(found.address)) {
        for (int at = 0; at < TreeNodeLayout.FENCES_OFFSET; at += Long.BYTES) {
          check(found, at, pool.applyAsLong(found.address + at));
        }
      }
    }
  }

  private static void check(Leaf leaf, int at, long word) {
    long kept = (long) WORD.get(leaf.bytes, at);
    if (kept != word) {
      throw new IllegalStateException(
          "the image of a leaf differs from the pool leaf="
              + Long.toHexString(leaf.address)
              + " offset="
              + at
              + " kept="
              + Long.toHexString(kept)
              + " pool="
              + Long.toHexString(word));
    }
  }
}
