package org.nelumbo.dm.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.local.LocalFabric;

class CountingFabricTest extends FabricConformanceTest {
  private static final long ADDRESS = PoolAddress.of(0, 4096);

  @Override
  protected Fabric openFabric(int nodes, long nodeBytes) {
    return new CountingFabric(new LocalFabric(nodes, nodeBytes));
  }

  @Test
  void shouldCountVerbsBytesAndRoundTrips() {
    CountingFabric counting = (CountingFabric) fabric;
    assertFalse(channel.canReadArray(), "such READs are not counted");
    channel.read(ADDRESS, 0, 100);
    channel.write(ADDRESS, 0, 30);
    channel.writeLong(ADDRESS, 1);
    channel.compareAndSwap(ADDRESS, 1, 2, 0);
    channel.fetchAndAdd(ADDRESS, 1, 0);
    channel.flush();
    channel.flush();
    channel.read(ADDRESS, 0, 8);
    channel.flush();
    FabricCounters counters = counting.snapshot().get(CountingChannel.UNLABELLED);
    assertEquals(
        "reads=2 writes=2 cas=1 faa=1 bytesIn=124 bytesOut=62 roundTrips=2", counters.toString());
    assertEquals(6, counters.verbs());
  }

  @Test
  void shouldCountByLabelAcrossOpenAndClosedChannels() {
    CountingFabric counting = (CountingFabric) fabric;
    CountingChannel first = (CountingChannel) channel;
    first.label("payment");
    readLong(first, ADDRESS);
    Map<String, FabricCounters> before = counting.snapshot();
    try (CountingChannel second = counting.openChannel(64)) {
      second.label("payment");
      readLong(second, ADDRESS);
    }
    first.label("delivery");
    readLong(first, ADDRESS);
    Map<String, FabricCounters> since = counting.since(before);
    assertEquals(1, since.get("payment").reads());
    assertEquals(1, since.get("delivery").roundTrips());
    assertNull(since.get(CountingChannel.UNLABELLED), "no verbs, no line");
    assertEquals(2, counting.snapshot().get("payment").reads());
    assertEquals(1, first.counters("payment").reads());
  }
}
