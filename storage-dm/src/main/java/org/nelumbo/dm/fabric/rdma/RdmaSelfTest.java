package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/** Tests a new RDMA connection to a memory node before it is used. */
public final class RdmaSelfTest {
  /** Size of the staging buffer that the channel needs. */
  public static final int STAGING_BYTES = 4096;

  /** Length of the longest packet in the standard. */
  private static final int PACKET_BYTES = STAGING_BYTES;

  private RdmaSelfTest() {}

  /**
   * Compares an atomic with a READ, because some devices return the results of atomics in the other
   * byte order. Then reads a long range, because some networks lose packets that exceed their MTU.
   *
   * @param word offset of a word that does not change meanwhile, and differs from its byte reversal
   * @param device name of the device for messages
   * @param nodeName name of the memory node for messages
   * @throws PoolOpenException if the connection is unusable
   */
  public static void run(Channel channel, int node, long word, String device, String nodeName) {
    compareAtomic(channel, PoolAddress.of(node, word), device, nodeName);
    channel.read(PoolAddress.of(node, 0), 0, PACKET_BYTES);
    try {
      channel.flush();
    } catch (FabricException e) {
      throw new PoolOpenException(
          "memory node "
              + nodeName
              + " responds to RDMA device "
              + device
              + ", but long packets are lost: set one MTU at both network interfaces that all of"
              + " the network between them carries (4200 bytes or more for packets of "
              + PACKET_BYTES
              + "): "
              + e.getMessage(),
          e);
    }
  }

  private static void compareAtomic(Channel channel, long word, String device, String nodeName) {
    MemorySegment staging = channel.staging();
    channel.read(word, 0, Long.BYTES);
    channel.fetchAndAdd(word, 0, Long.BYTES);
    try {
      channel.flush();
    } catch (FabricException e) {
      throw new PoolOpenException(
          "memory node "
              + nodeName
              + " does not respond to RDMA device "
              + device
              + ": name GIDs of both sides that are in one network, as DEVICE:GID (ibv_devinfo -v"
              + " shows them), and let UDP port 4791 through: "
              + e.getMessage(),
          e);
    }
    long read = staging.get(ValueLayout.JAVA_LONG, 0);
    long fetched = staging.get(ValueLayout.JAVA_LONG, Long.BYTES);
    if (read != fetched) {
      throw new PoolOpenException(
          "RDMA device "
              + device
              + " cannot be used: its atomics return another value than its READs read="
              + Long.toHexString(read)
              + " fetched="
              + Long.toHexString(fetched));
    }
  }
}
