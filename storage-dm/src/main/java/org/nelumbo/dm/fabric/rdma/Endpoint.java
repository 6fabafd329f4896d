package org.nelumbo.dm.fabric.rdma;

import java.nio.ByteBuffer;

/**
 * One side of a connection of queue pairs, with the values that the other side needs.
 *
 * @param number number of the queue pair, 24 bits
 * @param sequence first packet sequence number that it sends, 24 bits
 * @param gidHigh first half of the GID, which is the network address of its port
 * @param gidLow second half of the GID
 * @param lid address of its port on InfiniBand; 0 on Ethernet
 * @param mtu longest packet, in the code of the standard: 1 is 256 bytes, 5 is 4096
 * @param outstanding number of READs and atomics that it accepts at a time
 */
public record Endpoint(
    int number, int sequence, long gidHigh, long gidLow, int lid, int mtu, int outstanding) {
  /** Bytes that {@link #put} writes. */
  public static final int LENGTH = 4 * Integer.BYTES + 2 * Long.BYTES;

  private static final int MTU_MAX = 5;
  private static final int SHORT_BITS = 16;

  /** Appends this endpoint to a frame. */
  public void put(ByteBuffer frame) {
    frame.putInt(number).putInt(sequence).putLong(gidHigh).putLong(gidLow);
    frame.putInt(lid).putShort((short) mtu).putShort((short) outstanding);
  }

  /**
   * Reads an endpoint that {@link #put} has written.
   *
   * @throws IllegalArgumentException if the values are not an endpoint
   */
  public static Endpoint get(ByteBuffer frame) {
    int number = frame.getInt();
    int sequence = frame.getInt();
    long gidHigh = frame.getLong();
    long gidLow = frame.getLong();
    int lid = frame.getInt();
    int mtu = frame.getShort();
    int outstanding = frame.getShort();
    if (mtu < 1 || mtu > MTU_MAX || lid >>> SHORT_BITS != 0 || outstanding < 1) {
      throw new IllegalArgumentException("not an endpoint of a queue pair mtu=" + mtu);
    }
    return new Endpoint(number, sequence, gidHigh, gidLow, lid, mtu, outstanding);
  }
}
