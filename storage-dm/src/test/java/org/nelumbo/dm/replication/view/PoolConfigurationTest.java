package org.nelumbo.dm.replication.view;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.agreement.AgreementEncoding;

class PoolConfigurationTest {
  private static final PoolConfiguration SMALL =
      new PoolConfiguration(
          7,
          12,
          List.of(
              new PoolConfiguration.Node("one:7420", 4, true, false),
              new PoolConfiguration.Node("zwei\u00e4:7420", -5, false, false)),
          List.of(new PoolConfiguration.Member("process 1 on host", 99)));

  @Test
  void shouldDecodeEncodedConfiguration() {
    assertEquals(SMALL, PoolConfiguration.decode(SMALL.encode()));
    assertEquals(0b01, SMALL.record().live());
    assertEquals(-5, SMALL.record().incarnation(1));
    assertEquals(99, SMALL.owner().incarnation());
  }

  @Test
  void shouldOmitNamesThatExceedLimit() {
    List<PoolConfiguration.Node> nodes = new ArrayList<>();
    for (int node = 0; node < 64; node++) {
      nodes.add(new PoolConfiguration.Node("x".repeat(250), node, true, false));
    }
    byte[] bytes = new PoolConfiguration(1, 2, nodes, SMALL.members()).encode();
    assertTrue(bytes.length <= AgreementEncoding.CONTENT_LENGTH_MAX, "" + bytes.length);
    PoolConfiguration read = PoolConfiguration.decode(bytes);
    assertEquals(-1, read.record().live());
    for (int node = 0; node < 64; node++) {
      assertEquals(new PoolConfiguration.Node("", node, true, false), read.nodes().get(node));
    }
    assertEquals(List.of(new PoolConfiguration.Member("", 99)), read.members());
    List<PoolConfiguration.Node> few = nodes.subList(0, 2);
    assertEquals(
        few,
        PoolConfiguration.decode(new PoolConfiguration(1, 2, few, SMALL.members()).encode())
            .nodes());
  }

  @Test
  void shouldDecodeOrRejectDamagedBytes() {
    byte[] bytes = SMALL.encode();
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> PoolConfiguration.decode(part));
    }
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(bytes.length)] = (byte) random.nextInt(-3, 4);
      try {
        PoolConfiguration read = PoolConfiguration.decode(damaged);
        assertArrayEquals(read.encode(), PoolConfiguration.decode(read.encode()).encode());
      } catch (IllegalArgumentException e) {
        // rejected
      }
    }
  }
}
