package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.cluster.ClusterNode;

class ComputeNodeLinesTest {
  private static final String FIRST = "tenant=a connections=4 silent_ms=7 name=process 1 on x\n";
  private static final String SECOND = "tenant=b connections=2 silent_ms=9 name=process 2 on y\n";

  private final ComputeNodeLines lines = new ComputeNodeLines();
  private final ClusterConfiguration configuration =
      ClusterConfiguration.first(new ClusterNode(new PeerId(0, 1), 0xa, false, "process 1 on x", 0))
          .with(new ClusterNode(new PeerId(1, 2), 0xc, true, "process 3 on z", 1_000_000));

  @Test
  void shouldTreatExclusivePoolAsNotShared() {
    lines.add("owner=process 1 on x\nconnections=3\n");
    assertFalse(lines.isShared());
    assertEquals(List.of("compute_nodes=0 configuration=unknown"), lines.lines(null, 1));
    lines.add(FIRST);
    assertTrue(lines.isShared());
  }

  @Test
  void shouldMergeNodeStatusWithConfiguration() {
    lines.add("tenants=2\n" + FIRST + SECOND);
    lines.add("tenants=1\ntenant=a connections=3 silent_ms=12 name=process 1 on x\n");
    assertEquals(
        List.of(
            "compute_node=1 shards=4096 since=1970-01-01T00:00:00Z connections=3 silent_ms=12"
                + " state=member name=process 1 on x",
            "compute_node=none connections=2 silent_ms=9 state=cut_off name=process 2 on y",
            "compute_node=2 guest=yes shards=0 since=1970-01-01T00:00:01Z state=gone name=process 3 on z",
            "compute_nodes=2 configuration=2 epoch=2 catalog=1 ownerless_shards=0"),
        lines.lines(configuration, 2));
  }

  @Test
  void shouldReportUnknownStateWithoutConfiguration() {
    lines.add(FIRST);
    assertEquals(
        List.of(
            "compute_node=none connections=4 silent_ms=7 state=unknown name=process 1 on x",
            "compute_nodes=1 configuration=unknown"),
        lines.lines(null, 1));
  }

  @Test
  void shouldRemoveComputeNodeLinesFromStatus() {
    assertEquals(
        "epoch=1\ntenants=2\nverbs=3",
        ComputeNodeLines.rest("epoch=1\ntenants=2\n" + FIRST + SECOND + "verbs=3\n"));
  }
}
