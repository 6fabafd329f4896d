package org.nelumbo.dm.fabric.rdma.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class SocketNameTest {
  @Test
  void shouldComeBackAsItWas() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      for (String host : new String[] {"10.9.0.1", "255.0.255.254", "fe80::1:2", "::1"}) {
        for (int port : new int[] {0, 80, 65535}) {
          InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
          long encoded = SocketName.encode(arena, address).address();
          assertEquals(address, SocketName.decode(encoded), host + " " + port);
        }
      }
    }
  }

  @Test
  void shouldHaveThePortInTheOrderOfTheNetwork() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      var encoded = SocketName.encode(arena, new InetSocketAddress("10.9.0.1", 0x1234));
      assertEquals(0x12, encoded.get(ValueLayout.JAVA_BYTE, 2));
      assertEquals(10, encoded.get(ValueLayout.JAVA_BYTE, 4));
    }
  }

  @Test
  void shouldRefuseWhatIsNoAddress() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      assertNull(SocketName.decode(arena.allocate(28, 8).address()));
      InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere", 1);
      assertThrows(IOException.class, () -> SocketName.encode(arena, unknown));
    }
  }
}
