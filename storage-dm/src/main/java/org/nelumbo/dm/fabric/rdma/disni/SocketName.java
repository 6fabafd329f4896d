package org.nelumbo.dm.fabric.rdma.disni;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;

/**
 * Encodes socket addresses as {@code sockaddr_in} and {@code sockaddr_in6}. Both start with the
 * family (2 bytes, in the machine's byte order) and the port (2 bytes, in network byte order). The
 * address follows at offset 4 or 8.
 */
final class SocketName {
  private static final int LENGTH = 28;
  private static final int IPV4 = 2;
  private static final int IPV6 = 10;
  private static final int PORT_OFFSET = 2;
  private static final int IPV4_OFFSET = 4;
  private static final int IPV6_OFFSET = 8;
  private static final ValueLayout.OfShort NETWORK_SHORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private SocketName() {}

  static MemorySegment encode(Arena arena, InetSocketAddress address) {
    boolean isIpv4 = address.getAddress() instanceof Inet4Address;
    MemorySegment encoded = arena.allocate(LENGTH, Long.BYTES);
    encoded.set(ValueLayout.JAVA_SHORT, 0, (short) (isIpv4 ? IPV4 : IPV6));
    encoded.set(NETWORK_SHORT, PORT_OFFSET, (short) address.getPort());
    byte[] bytes = address.getAddress().getAddress();
    MemorySegment.copy(
        bytes, 0, encoded, ValueLayout.JAVA_BYTE, isIpv4 ? IPV4_OFFSET : IPV6_OFFSET, bytes.length);
    return encoded;
  }
}
