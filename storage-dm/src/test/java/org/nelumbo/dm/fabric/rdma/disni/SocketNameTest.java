package org.nelumbo.dm.fabric.rdma.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SocketNameTest {
  private static String encode(String host) {
    try (Arena arena = Arena.ofConfined()) {
      var encoded = SocketName.encode(arena, new InetSocketAddress(host, 0x1234));
      return HexFormat.of().formatHex(encoded.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Test
  void shouldEncodeFamilyPortAndAddress() {
    assertEquals("02001234ff00fefe" + "00".repeat(20), encode("255.0.254.254"));
    assertEquals(
        "0a00123400000000" + "fe800000000000000000000000010002" + "00".repeat(4),
        encode("fe80::1:2"));
  }
}
