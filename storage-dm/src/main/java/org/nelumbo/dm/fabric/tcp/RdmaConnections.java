package org.nelumbo.dm.fabric.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.dm.fabric.rdma.MemoryRegion;
import org.nelumbo.dm.fabric.rdma.QueuePair;
import org.nelumbo.dm.fabric.rdma.RdmaChannel;
import org.nelumbo.dm.fabric.rdma.RdmaDevice;
import org.nelumbo.dm.fabric.rdma.RdmaSelfTest;
import org.nelumbo.dm.fabric.rdma.VerbsProvider;
import org.nelumbo.dm.fabric.rdma.disni.DisniDomain;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The queue pairs of a compute node at its memory nodes: each channel has one at each node. They
 * are requested over TCP, with the rights of the compute node's tenancy.
 */
final class RdmaConnections implements AutoCloseable {
  /**
   * Maximum number of verbs of a channel that are posted to a node at a time; more are posted in
   * successive batches.
   */
  private static final int REQUESTS = 256;

  /**
   * Data up to this length is copied into the request, which is cheaper than a fetch by the device.
   */
  private static final int INLINE_BYTES = 64;

  private final Environment environment;
  private final RdmaDevice device;
  private final List<QueuePairLink> links = new ArrayList<>();
  private final RdmaChannel.Failures failures;
  private final BooleanSupplier isCut;

  /**
   * Opens the device of this side.
   *
   * @throws PoolOpenException if it is unusable
   */
  RdmaConnections(
      Environment environment,
      DeviceName name,
      RdmaChannel.Failures failures,
      BooleanSupplier isCut) {
    this.environment = environment;
    this.failures = failures;
    this.isCut = isCut;
    this.device = open(name);
  }

  private static RdmaDevice open(DeviceName name) {
    if (name.provider() == VerbsProvider.IBVERBS) {
      return RdmaDevice.open(name);
    }
    try {
      return RdmaDevice.open(name, (context, gid) -> DisniDomain.open(gid));
    } catch (NoClassDefFoundError e) {
      throw new PoolOpenException(
          "provider=disni needs DiSNI on the class path (com.ibm.disni:disni:2.1 and slf4j-api): "
              + e.getMessage(),
          e);
    }
  }

  /** Joins the next memory node. */
  void join(Handshake handshake, long tenant, String nodeName) {
    links.add(new QueuePairLink(handshake, tenant, nodeName));
  }

  /**
   * Tests the connection to each node.
   *
   * @throws PoolOpenException if one is unusable
   */
  void test() {
    MemorySegment staging = Arena.ofAuto().allocate(RdmaSelfTest.STAGING_BYTES, Long.BYTES);
    try (Channel channel = openChannel(staging, () -> {})) {
      for (int node = 0; node < links.size(); node++) {
        long word = SuperblockLayout.INCARNATION_OFFSET;
        RdmaSelfTest.run(channel, node, word, device.describe(), links.get(node).name());
      }
    }
  }

  /** Opens a channel with a queue pair at each node. */
  Channel openChannel(MemorySegment staging, Runnable onClose) {
    MemoryRegion region = device.register(staging.address(), staging.byteSize(), false);
    List<QueuePair> opened = new ArrayList<>();
    List<Runnable> ends = new ArrayList<>();
    RdmaChannel.Connection[] connections = new RdmaChannel.Connection[links.size()];
    try {
      for (int node = 0; node < connections.length; node++) {
        QueuePairLink link = links.get(node);
        QueuePair queuePair =
            device.createQueuePair(REQUESTS, INLINE_BYTES, false, (int) environment.randomLong());
        opened.add(queuePair);
        QueuePairLink.Served served = link.connect(queuePair.endpoint());
        ends.add(() -> link.end(served));
        queuePair.connect(served.endpoint());
        connections[node] = new RdmaChannel.Connection(queuePair, served.memory());
      }
      return new RdmaChannel(
          environment,
          connections,
          staging,
          region,
          failures,
          isCut,
          () -> {
            ends.forEach(Runnable::run);
            onClose.run();
          });
    } catch (RuntimeException | Error e) {
      opened.forEach(QueuePair::close);
      ends.forEach(Runnable::run);
      region.close();
      throw e;
    }
  }

  /** Makes the memory nodes destroy their sides of all queue pairs; waiting channels fail. */
  void cut() {
    links.forEach(QueuePairLink::close);
  }

  /** Closes the device, after the last channel is closed. */
  @Override
  public void close() {
    cut();
    device.close();
  }
}
