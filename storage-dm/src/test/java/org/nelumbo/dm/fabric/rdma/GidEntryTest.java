package org.nelumbo.dm.fabric.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.PoolOpenException;

class GidEntryTest {
  private static final long LINK_LOCAL = 0x80FE;
  private static final GidEntry OLD = new GidEntry(0, GidEntry.ROCE_1, LINK_LOCAL, 1);
  private static final GidEntry IPV6 = new GidEntry(1, GidEntry.ROCE_2, LINK_LOCAL, 1);
  private static final GidEntry EMPTY = new GidEntry(2, GidEntry.ROCE_2, 0, 0);
  private static final GidEntry IPV4 = new GidEntry(3, GidEntry.ROCE_2, 0, 7);
  private static final GidEntry OTHER = new GidEntry(4, GidEntry.ROCE_2, 0, 8);
  private static final List<GidEntry> ALL = List.of(OLD, IPV6, EMPTY, IPV4, OTHER);

  private static GidEntry choose(List<GidEntry> entries, int wanted) {
    return GidEntry.choose("rxe0", entries, wanted, true);
  }

  private static void assertRefused(String text, List<GidEntry> entries, int wanted) {
    PoolOpenException e =
        assertThrows(PoolOpenException.class, () -> choose(entries, wanted), () -> text);
    assertTrue(e.getMessage().contains(text), e.getMessage());
  }

  @Test
  void shouldPreferFirstIpv4Gid() {
    assertEquals(IPV4, choose(ALL, -1));
    assertEquals(IPV6, choose(List.of(OLD, IPV6, EMPTY), -1));
  }

  @Test
  void shouldUseRequestedGid() {
    assertEquals(IPV6, choose(ALL, 1));
    assertEquals(OTHER, choose(ALL, 4));
  }

  @Test
  void shouldListUsableGidsOnRejection() {
    assertRefused("is one of RoCE version 1, which is not used: use one of [1, 3, 4]", ALL, 0);
    assertRefused("GID 2 of RDMA device rxe0 cannot be used: use one of [1, 3, 4]", ALL, 2);
    assertRefused("GID 9 of RDMA device rxe0 cannot be used", ALL, 9);
  }

  @Test
  void shouldSuggestIpAddressWithoutUsableGid() {
    assertRefused("give its network interface an IP address", List.of(OLD, EMPTY), -1);
    assertRefused("give its network interface an IP address", List.of(), 3);
  }

  @Test
  void shouldUseInfiniBandGidsOnlyOnInfiniBand() {
    GidEntry only = new GidEntry(0, GidEntry.INFINIBAND, LINK_LOCAL, 1);
    assertEquals(only, GidEntry.choose("mlx5_0", List.of(only), -1, false));
    assertRefused("RoCE version 2", List.of(only), 0);
  }
}
