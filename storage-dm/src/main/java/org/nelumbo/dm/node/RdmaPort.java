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
 * The device by which a memory node offers its memory, all of which is registered. Atomics of the
 * device and of the processor are not atomic to each other: the node's own go through the device,
 * too ({@link #openLoop}). Thread-safe.
 */
final class RdmaPort implements AutoCloseable {
  /** Verbs of the node itself that may be under way. */
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
   * @throws org.nelumbo.dm.pool.PoolOpenException if it cannot be used
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

  /** What queue pairs of compute nodes may read and change. */
  RemoteMemory memory() {
    return memory;
  }

  /** A queue pair that answers; its user closes it, and says so. */
  QueuePair open() {
    QueuePair opened = device.createQueuePair(1, 0, true, (int) environment.randomLong());
    queuePairs.incrementAndGet();
    return opened;
  }

  void closed() {
    queuePairs.decrementAndGet();
  }

  /** A channel of this process to the memory, through the device. */
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

  /** Lines of {@code key=value}. */
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
