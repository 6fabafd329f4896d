package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.WindowDigest;

/**
 * A channel whose verbs are plain memory operations that take effect when they are posted.
 *
 * <p>The staging buffer is freed when the garbage collector finds it unreachable, so a segment
 * taken from a closed channel stays harmless; the reachability fences keep it alive during a verb.
 *
 * <p><b>Order.</b> A READ is followed by an acquire fence, a WRITE is preceded by a release fence,
 * and CAS and FAA are volatile. So all pairs of verbs keep their posted order except WRITE then
 * READ: the store may still be in the processor's store buffer when the load executes. The channel
 * records an unfenced WRITE and issues a full fence before the next READ, or in {@link #flush}.
 *
 * <p>The flush needs the fence because it promises that the WRITE has taken effect, and callers
 * rely on that between pool memory and the memory of this process. Example: unlink an object,
 * flush, read the clock for the timestamp of its retirement. With the unlinking store still
 * buffered, a reader with a later timestamp could find the object and use it after its memory is
 * freed. A flush without WRITEs costs nothing, and CAS and FAA are full fences themselves on x86.
 */
final class LocalChannel extends Channel {
  private static final boolean ATOMICS_ARE_FENCES =
      "amd64".equals(System.getProperty("os.arch"))
          || "x86_64".equals(System.getProperty("os.arch"));

  private static final long LINE_BYTES = 64;
  private static final long PAGE_MASK = 4095;

  private final long stagingBase;
  private final Runnable onClose;
  private final NodeMemory[] nodes;
  private final long bytes;
  private long[] bases;

  /**
   * Bytes of a node; 0 while its content is still being loaded, so that each verb takes the slow
   * path and waits for it.
   */
  private long nodeBytes;

  /** Null if the node is complete. */
  private PendingMemory pending;

  private boolean unfencedWrite;

  private WindowDigest windowDigest;

  /** Null if no other process can ever map the memory. */
  private final WriteGate gate;

  /** Consumes the loads of {@link #prefetch} so that the compiler does not remove them. */
  @SuppressWarnings("UnusedVariable")
  private long prefetched;

  /**
   * Creates a channel to nodes of equal size.
   *
   * @param pending content of the only node that is still being loaded; null if it is complete
   */
  LocalChannel(
      NodeMemory[] nodes,
      long[] bases,
      long nodeBytes,
      PendingMemory pending,
      MemorySegment staging,
      WriteGate gate,
      Runnable onClose) {
    super(staging);
    this.gate = gate;
    this.nodes = nodes;
    this.bases = bases;
    this.bytes = nodeBytes;
    this.pending = pending;
    this.nodeBytes = pending == null ? nodeBytes : 0;
    this.stagingBase = staging.address();
    this.onClose = onClose;
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    long from = locate(address, length);
    long to = stage(stagingOffset, length);
    if (unfencedWrite) {
      fence();
    }
    if (gate != null) {
      gate.checkOpen();
    }
    RawMemory.copy(from, to, length, from);
    VarHandle.acquireFence();
    Reference.reachabilityFence(this);
  }

  @Override
  public boolean canReadArray() {
    return true;
  }

  @Override
  public void readArray(long address, byte[] target, int offset, int length) {
    long from = locate(address, length);
    if (unfencedWrite) {
      fence();
    }
    if (gate != null) {
      gate.checkOpen();
    }
    RawMemory.copyToArray(from, target, offset, length);
    VarHandle.acquireFence();
    Reference.reachabilityFence(this);
  }

  @Override
  public boolean canDigest() {
    return true;
  }

  @Override
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    long from = locate(address, length);
    checkStaging(stagingOffset, WindowDigest.LENGTH);
    if (unfencedWrite) {
      fence();
    }
    if (gate != null) {
      gate.checkOpen();
    }
    if (windowDigest == null) {
      windowDigest = new WindowDigest();
    }
    MemorySegment window = RawMemory.segment(from, length);
    windowDigest.put(keyFirst, keySecond, window, 0, length, staging(), stagingOffset);
    VarHandle.acquireFence();
    Reference.reachabilityFence(this);
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    long to = locate(address, length);
    long from = stage(stagingOffset, length);
    VarHandle.releaseFence();
    if (gate == null) {
      RawMemory.copy(from, to, length, to);
    } else {
      gate.write(address, from, to, length);
    }
    unfencedWrite = true;
    Reference.reachabilityFence(this);
  }

  @Override
  public void writeLong(long address, long value) {
    long word = locateWord(address);
    if (gate == null) {
      RawMemory.setRelease(word, value);
    } else {
      gate.writeLong(word, value);
    }
    unfencedWrite = true;
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    long word = locateWord(address);
    long to = stage(stagingOffset, Long.BYTES);
    if (gate == null) {
      atomicDone(to, RawMemory.compareAndExchange(word, expected, replacement));
    } else {
      gate.enter();
      try {
        atomicDone(to, RawMemory.compareAndExchange(word, expected, replacement));
      } finally {
        gate.leave();
      }
    }
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    long word = locateWord(address);
    long to = stage(stagingOffset, Long.BYTES);
    boolean mayHandOut = BumpPointers.isPossible(PoolAddress.offset(address));
    if (gate != null) {
      gate.enter();
    }
    try {
      atomicDone(to, mayHandOut ? handOut(address, word, delta) : RawMemory.getAndAdd(word, delta));
    } finally {
      if (gate != null) {
        gate.leave();
      }
    }
  }

  /**
   * Advances a bump word only after the memory that this allocates is populated, because the
   * allocating thread writes there without a check.
   */
  private long handOut(long address, long word, long delta) {
    NodeMemory node = nodes[PoolAddress.node(address)];
    long base = bases[PoolAddress.node(address)];
    if (PoolAddress.offset(address) == NodeHeaderLayout.LEFT_OFFSET && node.leftBytes() > 0) {
      return clear(node, word, delta);
    }
    long origin = BumpPointers.origin(base, PoolAddress.offset(address));
    if (origin < 0) {
      return RawMemory.getAndAdd(word, delta);
    }
    long limit = BumpPointers.limit(base, PoolAddress.offset(address), bytes);
    long old = RawMemory.get(word);
    while (true) {
      long end = Math.min(old + delta, limit);
      if (old > 0 && end > old && !node.populate(origin + old, end - old)) {
        return SuperblockLayout.NO_ROOM;
      }
      long found = RawMemory.compareAndExchange(word, old, old + delta);
      if (found == old) {
        return old;
      }
      old = found;
    }
  }

  private static long clear(NodeMemory node, long word, long delta) {
    long left = RawMemory.get(word);
    long from = Math.max(NodeHeaderLayout.LENGTH, left + delta);
    if (delta < 0 && left > from && left <= node.bytes()) {
      node.clear(from, left - from);
      RawMemory.setRelease(word, from);
    }
    return left;
  }

  /**
   * Prefetches with the processor's instruction or, if it is not available, with one load for each
   * cache line: the processor continues without waiting for a load as far as its instruction window
   * reaches. Loads stay in the page in which the bytes begin, because a hint may extend beyond the
   * allocated memory, and the next page may not be populated.
   */
  @Override
  public void prefetch(long address, int length) {
    long node = address >>> PoolAddress.OFFSET_BITS;
    long offset = PoolAddress.offset(address) & -LINE_BYTES;
    long end = PoolAddress.offset(address) + length;
    if (node >= bases.length || end > nodeBytes || length <= 0) {
      return;
    }
    long base = bases[(int) node];
    if (PrefetchInstruction.AVAILABLE) {
      PrefetchInstruction.prefetch(base + offset, (end - offset + LINE_BYTES - 1) / LINE_BYTES);
    } else {
      for (end = Math.min(end, (offset | PAGE_MASK) + 1); offset < end; offset += LINE_BYTES) {
        prefetched += RawMemory.get(base + offset);
      }
    }
  }

  private void atomicDone(long to, long old) {
    if (!ATOMICS_ARE_FENCES) {
      VarHandle.fullFence();
    }
    unfencedWrite = false;
    RawMemory.set(to, old);
    Reference.reachabilityFence(this);
  }

  @Override
  public void flush() {
    if (unfencedWrite) {
      fence();
    }
  }

  private void fence() {
    VarHandle.fullFence();
    unfencedWrite = false;
  }

  private long locate(long address, int length) {
    long node = address >>> PoolAddress.OFFSET_BITS;
    long offset = PoolAddress.offset(address);
    if (node >= bases.length || length < 0 || offset + length > nodeBytes) {
      awaitPending(address, length);
    }
    return bases[(int) node] + offset;
  }

  private void awaitPending(long address, int length) {
    PendingMemory coming = pending;
    long offset = PoolAddress.offset(address);
    boolean isInside = PoolAddress.node(address) == 0 && length >= 0 && offset + length <= bytes;
    if (coming == null || !isInside) {
      throw outside(address, length);
    }
    coming.await(offset, length);
    if (coming.isComplete()) {
      pending = null;
      nodeBytes = bytes;
    }
  }

  private long locateWord(long address) {
    checkAligned(address);
    return locate(address, Long.BYTES);
  }

  private long stage(int offset, int length) {
    checkStaging(offset, length);
    return stagingBase + offset;
  }

  private RuntimeException outside(long address, int length) {
    if (bases.length == 0) {
      return new IllegalStateException("the channel is closed");
    }
    return new OutsidePoolException(address, length, bases.length);
  }

  @Override
  public void close() {
    if (bases.length > 0) {
      bases = new long[0];
      nodeBytes = 0;
      pending = null;
      if (gate != null) {
        gate.end();
      }
      onClose.run();
    }
  }
}
