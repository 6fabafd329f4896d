package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;

/**
 * Verbs as memory operations of the calling thread; each acts when it is posted, so a flush has nothing to do.
 *
 * <p>Order: a WRITE begins with a release fence and a READ ends with an acquire fence, so the verbs of one channel take effect in posted order for every other. CAS, FAA
 * and {@link #writeLong} are volatile accesses; a CAS or FAA is a full fence.
 */
final class LocalChannel extends Channel {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment[] nodes;
  private final MemorySegment first;
  private final MemorySegment buffer;
  private final ReservedMemory memory;

  LocalChannel(MemorySegment[] nodes, int stagingBytes) {
    this(nodes, new ReservedMemory(stagingBytes));
  }

  private LocalChannel(MemorySegment[] nodes, ReservedMemory memory) {
    super(memory.segment());
    this.memory = memory;
    this.nodes = nodes;
    this.first = nodes[0];
    this.buffer = staging();
  }

  private MemorySegment node(long address) {
    int node = PoolAddress.node(address);
    return node == 0 ? first : nodes[node];
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    MemorySegment.copy(node(address), PoolAddress.offset(address), buffer, stagingOffset, length);
    VarHandle.acquireFence();
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    VarHandle.releaseFence();
    MemorySegment.copy(buffer, stagingOffset, node(address), PoolAddress.offset(address), length);
  }

  @Override
  public void writeLong(long address, long value) {
    LONG.setRelease(node(address), PoolAddress.offset(address), value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    long old = (long) LONG.compareAndExchange(node(address), PoolAddress.offset(address), expected, replacement);
    buffer.set(ValueLayout.JAVA_LONG, stagingOffset, old);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    long old = (long) LONG.getAndAdd(node(address), PoolAddress.offset(address), delta);
    buffer.set(ValueLayout.JAVA_LONG, stagingOffset, old);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    memory.close();
  }
}
