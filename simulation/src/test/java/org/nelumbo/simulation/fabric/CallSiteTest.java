package org.nelumbo.simulation.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.executor.lock.LockTable;

/** Traces name the code that posted a verb, not the fabrics that forward it. */
class CallSiteTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        Channel.class,
        Fabric.class,
        LocalFabric.class,
        ReplicatedFabric.class,
        SimChannel.class
      })
  void shouldPassOverFabrics(Class<?> type) {
    assertTrue(CallSite.isFabric(type.getName()), "the package of fabrics has another name");
  }

  @ParameterizedTest
  @ValueSource(classes = {HashIndex.class, LockTable.class})
  void shouldNameTheEngine(Class<?> type) {
    assertFalse(CallSite.isFabric(type.getName()));
  }

  @Test
  void shouldOmitPackageName() {
    assertEquals("Poster.post", new CallSite("org.nelumbo.Poster", "post").toString());
  }
}
