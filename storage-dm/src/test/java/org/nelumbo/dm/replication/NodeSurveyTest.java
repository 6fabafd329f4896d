package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.node.MemoryNode;

/** Tests the survey of memory nodes that precedes the opening of a pool. */
class NodeSurveyTest {
  private final SystemEnvironment environment = new SystemEnvironment();

  private MemoryNode start(int leaseSeconds) throws IOException {
    MemoryNode node =
        new MemoryNode(
            environment,
            LocalMemory.reserve(1 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT.withLeaseNanos(TimeUnit.SECONDS.toNanos(leaseSeconds)));
    node.start();
    return node;
  }

  private long patienceSeconds(NodeAddress... nodes) {
    NodeSurvey census = NodeSurvey.take(environment, List.of(nodes), TcpOptions.of("me"));
    return TimeUnit.NANOSECONDS.toSeconds(census.patienceNanos());
  }

  @Test
  void shouldWaitLongerThanTheLongestLease() throws IOException {
    try (MemoryNode patient = start(60);
        MemoryNode other = start(10)) {
      assertEquals(40, patienceSeconds(other.address()));
      assertEquals(90, patienceSeconds(other.address(), patient.address()));
    }
  }
}
