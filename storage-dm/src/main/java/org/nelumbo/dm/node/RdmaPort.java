package org.nelumbo.dm.node;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.dm.fabric.rdma.MemoryRegion;
import org.nelumbo.dm.fabric.rdma.QueuePair;
import org.nelumbo.dm.fabric.rdma.RdmaChannel;
import org.nelumbo.dm.fabric.rdma.RdmaDevice;
import org.nelumbo.dm.fabric.rdma.RemoteMemory;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;

/**
 * The device through which a memory node offers its memory, all of which is registered. Atomics of
 * the device and of the processor are not atomic to each other, so the node's own atomics use the
 * device as well ({@link #openLoop}). Thread-safe.
 */
final class RdmaPort implements AutoCloseable {
  /** Maximum number of outstanding verbs of the node itself. */
  private static final int LOOP_REQUESTS = 8;

  private static final int INLINE_BYTES = 8;

  private final Environment environment;
  private final RdmaDevice device;
  private final MemoryRegion region;
  private final RemoteMemory memory;
  private final AtomicInteger queuePairs = new AtomicInteger();

  /**
   * Opens the device.
   *
   * @throws org.nelumbo.dm.pool.PoolOpenException if it is unusable
   */
  RdmaPort(Environment environment, DeviceName name, NodeMemory offered) {
    this.environment = environment;
    this.device = RdmaDevice.open(name);
    try {
      this.region = device.register(offered.address(), offered.bytes(), true);
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
    this.memory = new RemoteMemory(offered.address(), offered.bytes(), region.remoteKey());
  }

  /** Returns the memory that queue pairs of compute nodes can access. */
  RemoteMemory memory() {
    return memory;
  }

  /**
   * Creates a queue pair that serves verbs; the caller closes it and then calls {@link #closed}.
   */
  QueuePair open() {
    QueuePair opened = device.createQueuePair(1, 0, true, (int) environment.randomLong());
    queuePairs.incrementAndGet();
    return opened;
  }

  void closed() {
    queuePairs.decrementAndGet();
  }

  /** Opens a channel from this process to the memory, through the device. */
  Channel openLoop(int stagingBytes) {
    MemorySegment staging = Arena.ofAuto().allocate(stagingBytes, 64);
    QueuePair sending =
        device.createQueuePair(LOOP_REQUESTS, INLINE_BYTES, false, (int) environment.randomLong());
    QueuePair serving = device.createQueuePair(1, 0, true, (int) environment.randomLong());
    sending.connect(serving.endpoint());
    serving.connect(sending.endpoint());
    return new RdmaChannel(
        environment,
        new RdmaChannel.Connection[] {new RdmaChannel.Connection(sending, memory)},
        staging,
        device.register(staging.address(), stagingBytes, false),
        (node, why) ->
            new FabricException(node, "the memory node's own device fails: " + why, null),
        () -> false,
        serving::close);
  }

  /** Returns lines of {@code key=value}. */
  String status() {
    return "rdma=" + device.describe() + "\nqueue_pairs=" + queuePairs.get() + "\n";
  }

  String describe() {
    return device.describe();
  }

  @Override
  public void close() {
    region.close();
    device.close();
  }
}
