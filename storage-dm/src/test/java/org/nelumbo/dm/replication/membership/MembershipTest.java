package org.nelumbo.dm.replication.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

class MembershipTest {
  private static final int NODES = 2;
  private static final Placement PLACEMENT = new Placement(NODES, NODES, 1, 1 << 20);

  private final SystemEnvironment environment = new SystemEnvironment();
  private final NodeConnection first = new Node();
  private final NodeConnection second = new Node();
  private CurrentView currentView;
  private Sharing sharing;
  private Membership membership;

  /** A connection to a working memory node. */
  private static final class Node implements NodeConnection {
    private final LocalFabric memory = new LocalFabric(1 << 20);

    @Override
    public Channel openChannel(MemorySegment staging) {
      return memory.openChannel((int) staging.byteSize());
    }

    @Override
    public boolean isRemote() {
      return false;
    }

    @Override
    public long nodeBytes() {
      return 1 << 20;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void begin() {
    currentView = new CurrentView(environment, view(7, first, null, false), 1 << 16);
    sharing = new Sharing(environment, currentView);
    NodeChannels channels =
        new NodeChannels(NODES, Arena.ofAuto().allocate(NodeHeaderLayout.LENGTH, 64));
    HeaderWriter headers = new HeaderWriter(channels, 1, new long[NodeHeaderLayout.NODES_MAX]);
    membership = new Membership(currentView, sharing, headers, null);
  }

  private static View view(
      long number, NodeConnection one, NodeConnection other, boolean isFilling) {
    ResyncProgress progress = isFilling ? new ResyncProgress(PLACEMENT.slots()) : null;
    return new View(
        number,
        PLACEMENT,
        new NodeConnection[] {one, other},
        new ResyncProgress[] {null, progress});
  }

  private void share() {
    sharing.fixView();
    sharing.begin();
    sharing.beginTogether();
  }

  @Test
  void shouldPutNoViewInForceThatIsNotDecided() {
    View next = membership.propose(view(0, first, null, false));
    assertEquals(8, next.number());
    assertEquals(Membership.State.DECIDING, membership.state());
    assertThrows(AssertionError.class, () -> membership.write(next));
    assertThrows(AssertionError.class, () -> membership.install(next));
  }

  @Test
  void shouldPutNoViewInForceThatIsNotWritten() {
    View next = membership.propose(view(0, first, null, false));
    membership.noteDecided();
    assertThrows(AssertionError.class, () -> membership.install(next));
    assertEquals(0, membership.write(next));
    membership.install(next);
    assertSame(next, currentView.last());
    assertEquals(Membership.State.STEADY, membership.state());
  }

  @Test
  void shouldNotInstallViewBeforeMembersLeavePrevious() {
    share();
    membership.begin(true);
    membership.noteDecided();
    View next = view(8, first, null, false);
    assertEquals(0, membership.write(next));
    assertThrows(AssertionError.class, () -> membership.repeat(next));
    assertThrows(AssertionError.class, () -> membership.install(next));
    membership.retry();
    assertEquals(Membership.State.DECIDING, membership.state());
  }

  @Test
  void shouldRejectViewChangeOfOtherSharingMode() {
    assertThrows(AssertionError.class, () -> membership.begin(false));
    share();
    assertThrows(AssertionError.class, () -> membership.propose(view(0, first, null, false)));
  }

  @Test
  void shouldMakeNoNodeLiveThatWasNotFilled() {
    assertThrows(AssertionError.class, () -> membership.replace(view(7, first, second, false)));
    membership.replace(view(7, first, second, true));
    View next = membership.propose(view(0, first, second, false));
    membership.noteDecided();
    membership.write(next);
    membership.install(next);
    assertThrows(AssertionError.class, () -> membership.replace(view(8, first, new Node(), false)));
  }

  @Test
  void shouldWriteTheViewAgainAfterAnErrorInTheMiddleOfAChange() {
    assertFalse(membership.restart());
    membership.propose(view(0, first, null, false));
    assertTrue(membership.restart());
    assertEquals(Membership.State.STEADY, membership.state());
  }

  @ParameterizedTest
  @EnumSource(names = {"STEADY", "DECIDING", "DECIDED", "WRITTEN"})
  void shouldStayLostInAnyState(Membership.State state) {
    View next = null;
    if (state != Membership.State.STEADY) {
      next = membership.propose(view(0, first, null, false));
    }
    if (state == Membership.State.DECIDED || state == Membership.State.WRITTEN) {
      membership.noteDecided();
    }
    if (state == Membership.State.WRITTEN) {
      membership.write(next);
    }
    assertEquals(state, membership.state());
    currentView.loseByError();
    assertEquals(Membership.State.LOST, membership.state());
    membership.restart();
    assertEquals(Membership.State.LOST, membership.state());
    assertTrue(membership.isLost());
  }
}
