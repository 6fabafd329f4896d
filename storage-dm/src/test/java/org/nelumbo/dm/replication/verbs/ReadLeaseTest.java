package org.nelumbo.dm.replication.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

class ReadLeaseTest {
  private static final int NODES = 3;

  private final ReadLease readLease = new ReadLease(new SystemEnvironment());
  private final List<FakeNode> nodes = new ArrayList<>();
  private final List<FakeNode> asked = new ArrayList<>();

  private final class FakeNode implements NodeConnection {
    private boolean isHeld = true;
    private FabricException failure;

    @Override
    public boolean isReadLeaseHeld(long now) {
      return isHeld;
    }

    @Override
    public void renewReadLease() {
      asked.add(this);
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public Channel openChannel(MemorySegment staging) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long nodeBytes() {
      return 0;
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void connect() {
    for (int node = 0; node < NODES; node++) {
      nodes.add(new FakeNode());
    }
  }

  private View view(NodeConnection... connections) {
    return new View(
        1, Placement.of(NODES, NODES, 1, 1 << 20), connections, new ResyncProgress[NODES]);
  }

  @Test
  void shouldNotRenewLeasesThatAreHeld() {
    assertNull(readLease.confirm(view(nodes.toArray(new NodeConnection[0]))));
    assertEquals(List.of(), asked);
  }

  @Test
  void shouldRenewExpiredLeasesOfLiveNodes() {
    nodes.forEach(each -> each.isHeld = false);
    assertNull(readLease.confirm(view(null, nodes.get(1), nodes.get(2))));
    assertEquals(nodes.subList(1, NODES), asked);
  }

  @Test
  void shouldReportNodeThatFailsToRenew() {
    nodes.get(2).isHeld = false;
    nodes.get(2).failure = new FabricException(0, "fenced", null, true);
    ReadLease.Failure failure = readLease.confirm(view(nodes.toArray(new NodeConnection[0])));
    assertEquals(2, failure.node());
    assertSame(nodes.get(2).failure, failure.why());
  }
}
