package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;

/** Tests which memory nodes receive which verbs while all of them are live. */
@Timeout(180)
class ReplicatedVerbsTest extends ThreeReplicas {
  @Test
  void shouldFlushEachCopyOnce() {
    try (Fabric fabric = open();
        Channel channel = fabric.openChannel(64)) {
      put(channel, word(0, 0), 1);
      long[] before = verbs();
      channel.writeLong(word(0, 1), 1);
      channel.compareAndSwap(word(0, 0), 1, 2, 0);
      channel.fetchAndAdd(word(0, 1), 5, 8);
      channel.writeLong(word(0, 2), 1);
      channel.flush();
      long[] after = verbs();
      for (int node = 0; node < NODES; node++) {
        assertEquals(4 + 1, after[node] - before[node], "verbs and flushes at node " + node);
      }
      assertEquals(1, channel.staging().get(ValueLayout.JAVA_LONG, 0));
      assertEquals(1, channel.staging().get(ValueLayout.JAVA_LONG, 8));
    }
    assertCopiesAreEqual();
  }

  @Test
  void shouldWriteToAllCopiesAndSpreadPrimaries() {
    try (Fabric fabric = open();
        Channel channel = fabric.openChannel(1024)) {
      assertEquals(256 << 10, fabric.nodeBytes(0));
      for (int node = 0; node < NODES; node++) {
        put(channel, word(node, 1), 10 + node);
        add(channel, word(node, 1));
        channel.compareAndSwap(word(node, 1), 11 + node, 100 + node, 0);
        channel.writeLong(word(node, 2), 7);
        channel.flush();
      }
    }
    assertCopiesAreEqual();
  }

  @Test
  void shouldReadAllLogicalNodesFromOneMemoryNode() {
    int flushes = 1000;
    try (Fabric fabric = open()) {
      for (int opening = 0; opening < NODES; opening++) {
        try (Channel channel = fabric.openChannel(1024)) {
          long[] before = verbs();
          for (int i = 0; i < flushes; i++) {
            for (int node = 0; node < NODES; node++) {
              channel.read(word(node, i), 8 * node, 8);
            }
            channel.flush();
          }
          long[] after = verbs();
          int home = 0;
          for (int node = 0; node < NODES; node++) {
            home += after[node] - before[node] > flushes ? 1 : 0;
          }
          assertEquals(1, home, "nodes that were read");
        }
      }
    }
  }
}
