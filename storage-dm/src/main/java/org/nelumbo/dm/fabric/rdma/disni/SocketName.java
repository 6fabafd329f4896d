package org.nelumbo.dm.fabric.rdma.disni;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import org.nelumbo.dm.fabric.rdma.NativeMemory;

/**
 * Addresses as the system has them: {@code sockaddr_in} and {@code sockaddr_in6}. Both begin with
 * the family (2 bytes, in the machine's order) and the port (2, in the network's). The address
 * follows at 4, or at 8.
 */
final class SocketName {
  private static final int LENGTH = 28;
  private static final int IPV4 = 2;
  private static final int IPV6 = 10;
  private static final int PORT_OFFSET = 2;
  private static final int IPV4_OFFSET = 4;
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_OFFSET = 8;
  private static final int IPV6_BYTES = 16;
  private static final ValueLayout.OfShort NETWORK_SHORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private SocketName() {}

  /**
   * Encodes an address.
   *
   * @throws IOException if it is none of the Internet, or its host is not known
   */
  static MemorySegment encode(Arena arena, SocketAddress address) throws IOException {
    if (!(address instanceof InetSocketAddress internet) || internet.isUnresolved()) {
      throw new IOException("not an address of the Internet: " + address);
    }
    MemorySegment encoded = arena.allocate(LENGTH, Long.BYTES);
    InetAddress host = internet.getAddress();
    boolean isIpv4 = host instanceof Inet4Address;
    encoded.set(ValueLayout.JAVA_SHORT, 0, (short) (isIpv4 ? IPV4 : IPV6));
    encoded.set(NETWORK_SHORT, PORT_OFFSET, (short) internet.getPort());
    byte[] bytes = host.getAddress();
    MemorySegment.copy(
        bytes, 0, encoded, ValueLayout.JAVA_BYTE, isIpv4 ? IPV4_OFFSET : IPV6_OFFSET, bytes.length);
    return encoded;
  }

  /** Decodes an address; null if there is none. */
  static SocketAddress decode(long at) throws IOException {
    int family = NativeMemory.getShort(at);
    if (family != IPV4 && family != IPV6) {
      return null;
    }
    byte[] bytes = new byte[family == IPV4 ? IPV4_BYTES : IPV6_BYTES];
    long first = at + (family == IPV4 ? IPV4_OFFSET : IPV6_OFFSET);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) NativeMemory.getByte(first + i);
    }
    int port =
        NativeMemory.getByte(at + PORT_OFFSET) << Byte.SIZE
            | NativeMemory.getByte(at + PORT_OFFSET + 1);
    return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
  }
}
