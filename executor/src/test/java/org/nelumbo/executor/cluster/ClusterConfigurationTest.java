package org.nelumbo.executor.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.remote.LockShards;

/** Tests the permitted and the rejected changes of the configuration. */
class ClusterConfigurationTest {
  private static final PeerId A = new PeerId(0, 2);
  private static final PeerId B = new PeerId(1, 3);
  private static final PeerId C = new PeerId(2, 4);

  private static ClusterNode node(PeerId id) {
    return new ClusterNode(id, 1000 + id.incarnation(), false, "host-" + id, 7);
  }

  private static ClusterNode guest(PeerId id) {
    return new ClusterNode(id, 1000 + id.incarnation(), true, "guest-" + id, 7);
  }

  private static BitSet range(int first, int end) {
    BitSet shards = new BitSet();
    shards.set(first, end);
    return shards;
  }

  /** Applies shard moves until no member has a shard to give away. */
  private static ClusterConfiguration settled(ClusterConfiguration before) {
    ClusterConfiguration latest = before;
    while (!latest.isBalanced()) {
      for (ClusterNode each : latest.nodes()) {
        ShardMove move = ShardMove.next(latest, each.id());
        latest = move == null ? latest : latest.moved(move.shards(), each.id(), move.to());
      }
    }
    return latest;
  }

  private static List<Integer> shares(ClusterConfiguration configuration) {
    return configuration.nodes().stream()
        .map(each -> configuration.map().shardsOf(each.id()).cardinality())
        .toList();
  }

  /** Returns a configuration of three members, in which B has received half of the shards of A. */
  private static ClusterConfiguration three() {
    BitSet upper = new BitSet();
    upper.set(LockShards.COUNT / 2, LockShards.COUNT);
    return ClusterConfiguration.first(node(A)).with(node(B)).with(node(C)).moved(upper, A, B);
  }

  private static ClusterConfiguration advanced(
      ClusterConfiguration configuration, Map<PeerId, Long> settled) {
    return configuration.advanced(each -> settled.getOrDefault(each, 0L));
  }

  @Test
  void shouldNameItsMembers() {
    String names = "cn0/2 (host-cn0/2), cn1/3 (host-cn1/3), cn2/4 (host-cn2/4)";
    assertEquals(names, three().names());
  }

  @Test
  void shouldReassignShardsOnceRecoveredAndAcknowledged() {
    ClusterConfiguration without = three().without(B, A);
    long removed = without.version();
    assertEquals(LockShards.COUNT / 2, without.map().ownerless().cardinality());
    Map<PeerId, Long> all = Map.of(A, removed, C, removed);
    assertSame(without, advanced(without, all));
    ClusterConfiguration recovered = without.recovered(B);
    assertSame(recovered, advanced(recovered, Map.of(A, removed, C, removed - 1)));
    ClusterConfiguration dealt = advanced(recovered, all);
    assertTrue(dealt.map().ownerless().isEmpty());
    assertEquals(LockShards.COUNT / 2, dealt.map().shardsOf(A).cardinality());
    assertEquals(LockShards.COUNT / 2, dealt.map().shardsOf(C).cardinality());
  }

  @Test
  void shouldForgetRemovalOnceRepairedAndAcknowledged() {
    ClusterConfiguration recovered = three().without(B, A).recovered(B);
    assertEquals(List.of(B), recovered.recoveredSince(recovered.version() - 1));
    assertEquals(List.of(), recovered.recoveredSince(recovered.version()));
    ClusterConfiguration repaired = recovered.repaired(B);
    long heard = recovered.version();
    ClusterConfiguration dealt = advanced(repaired, Map.of(A, heard, C, heard - 1));
    assertEquals(List.of(B), dealt.recoveredSince(heard - 1));
    ClusterConfiguration forgotten = advanced(dealt, Map.of(A, heard, C, heard));
    assertEquals(List.of(), forgotten.recoveredSince(0));
  }

  @Test
  void shouldHaveOneMemberRecoverFailedMember() {
    ClusterConfiguration without = three().without(B, A);
    assertTrue(without.isRecoveredBy(B, A));
    assertSame(without, without.without(B, C));
    assertSame(without, without.takenOver(B, C));
    assertEquals(List.of(), without.abandoned());
    ClusterConfiguration abandoned = without.without(A, C);
    assertEquals(List.of(B), abandoned.abandoned());
    ClusterConfiguration both = abandoned.takenOver(B, C);
    assertTrue(both.isRecoveredBy(B, C));
    assertTrue(both.isRecoveredBy(A, C));
    assertFalse(both.repaired(B).isRecoveredBy(B, C));
  }

  /** The repair of one failed member may depend on the state of another failed member. */
  @Test
  void shouldHaveOneMemberRecoverAllFailedMembers() {
    PeerId last = new PeerId(3, 5);
    ClusterConfiguration four = three().with(node(last));
    ClusterConfiguration both = four.without(A, C).without(B, last);
    assertTrue(both.isRecoveredBy(A, C));
    assertTrue(both.isRecoveredBy((int) B.incarnation(), C));
    assertFalse(both.isRecoveredBy((int) B.incarnation(), last));
    assertFalse(both.repaired(B).isRecoveredBy((int) B.incarnation(), C));
    assertTrue(four.without(A, C).repaired(A).without(B, last).isRecoveredBy(B, last));
    assertTrue(four.without(A, C).without(C, last).takenOver(A, last).isRecoveredBy(A, last));
    assertTrue(four.without(A, C).left(C).without(B, last).isRecoveredBy(B, last));
  }

  @Test
  void shouldKeepLeavingMemberWhileItOwnsShards() {
    ClusterConfiguration three = three();
    ClusterConfiguration leaving = three.left(A);
    assertTrue(leaving.isMember(A));
    assertSame(leaving, leaving.left(A));
    ClusterConfiguration without = three.moved(three.map().shardsOf(A), A, C).left(A);
    assertFalse(without.isMember(A));
    assertEquals(List.of(), without.abandoned());
    assertEquals(List.of(A), without.recoveredSince(0));
  }

  /** Otherwise the other members would return the shards again and again. */
  @Test
  void shouldAssignNoShardsToLeavingMember() {
    ClusterConfiguration leaving = settled(three()).left(A);
    ClusterConfiguration given = settled(leaving.moved(leaving.map().shardsOf(A), A, B));
    assertEquals(List.of(0, 2048, 2048), shares(given));
    assertEquals(List.of(0, 2048, 2048), shares(settled(leaving)));
    assertSame(given, given.pinned(range(0, 8), A));
    assertFalse(given.isStaying(A.incarnation()));
    ClusterConfiguration decoded = ClusterConfiguration.decode(given.encode());
    assertFalse(decoded.isStaying(A.incarnation()));
    assertTrue(decoded.isStaying(B.incarnation()));
  }

  /** The last of the leaving members keeps all shards. */
  @Test
  void shouldMoveShardsToLeavingMemberIfAllLeave() {
    ClusterConfiguration two = settled(ClusterConfiguration.first(node(A)).with(node(B)));
    ClusterConfiguration leaving = two.left(A).left(B);
    assertEquals(List.of(B), leaving.ownersBeside(A));
    ClusterConfiguration alone = leaving.moved(leaving.map().shardsOf(A), A, B).left(A);
    assertFalse(alone.isMember(A));
    assertFalse(alone.left(B).isMember(B));
  }

  @Test
  void shouldAssignAllShardsToMemberJoiningEmptyCluster() {
    ClusterConfiguration empty = ClusterConfiguration.first(node(A)).left(A);
    assertEquals(List.of(), empty.nodes());
    ClusterConfiguration next = empty.with(node(B));
    assertEquals(LockShards.COUNT, next.map().shardsOf(B).cardinality());
  }

  @Test
  void shouldMoveShardsOnlyFromOwnerToMember() {
    ClusterConfiguration three = three();
    BitSet shards = new BitSet();
    shards.set(1);
    assertSame(three, three.moved(shards, B, C));
    assertSame(three, three.moved(shards, A, new PeerId(7, 7)));
    assertEquals(C, three.moved(shards, A, C).map().owner(1));
  }

  @Test
  void shouldSpreadShardsOfJoiningMemberEvenly() {
    ClusterConfiguration two =
        settled(ClusterConfiguration.first(node(A)).with(node(B)).with(node(C)));
    assertEquals(List.of(1366, 1365, 1365), shares(two));
    for (int first = 0; first < LockShards.COUNT; first += 8) {
      BitSet some = two.map().shardsOf(B);
      some.and(range(first, first + 8));
      assertTrue(some.cardinality() >= 1 && some.cardinality() <= 5, "first=" + first);
    }
  }

  @Test
  void shouldUseNonVotingMembersOnlyAsLastResort() {
    ClusterConfiguration guests = settled(ClusterConfiguration.first(guest(A)).with(guest(B)));
    assertEquals(List.of(2048, 2048), shares(guests));
    ClusterConfiguration beside = settled(guests.with(node(C)));
    assertEquals(List.of(0, 0, LockShards.COUNT), shares(beside));
    assertTrue(beside.isGuest(guest(A)));
    ClusterConfiguration without = beside.without(C, A).recovered(C);
    ClusterConfiguration dealt =
        advanced(without, Map.of(A, without.version(), B, without.version()));
    assertEquals(List.of(2048, 2048), shares(dealt));
    assertFalse(dealt.isGuest(guest(A)));
  }

  @Test
  void shouldReassignShardsToVotingMembersOnly() {
    ClusterConfiguration two = ClusterConfiguration.first(node(A)).with(node(B)).with(guest(C));
    ClusterConfiguration without = settled(two).without(A, C).recovered(A);
    ClusterConfiguration dealt =
        advanced(without, Map.of(B, without.version(), C, without.version()));
    assertEquals(List.of(LockShards.COUNT, 0), shares(dealt));
  }

  @Test
  void shouldKeepPinnedShardsAndBalanceRemaining() {
    ClusterConfiguration three =
        settled(ClusterConfiguration.first(node(A)).with(node(B)).with(node(C)));
    ClusterConfiguration pinned = settled(three.pinned(range(0, 3000), C));
    assertEquals(C, pinned.map().owner(0));
    assertEquals(C, pinned.map().owner(2999));
    assertEquals(List.of(548, 548, 3000), shares(pinned));
    ClusterConfiguration few = settled(three.pinned(range(0, 100), C));
    assertEquals(C, few.map().owner(99));
    assertEquals(List.of(1365, 1365, 1366), shares(few).stream().sorted().toList());
    List<Integer> released = shares(settled(pinned.released(range(0, 3000))));
    assertEquals(List.of(1365, 1365, 1366), released.stream().sorted().toList());
  }

  @Test
  void shouldPinShardsToNonVotingMember() {
    ClusterConfiguration two = settled(ClusterConfiguration.first(node(A)).with(guest(B)));
    ClusterConfiguration pinned = settled(two.pinned(range(7, 9), B));
    assertEquals(range(7, 9), pinned.map().shardsOf(B));
    assertSame(pinned, pinned.pinned(range(7, 9), B));
    assertSame(pinned, pinned.pinned(range(7, 9), C));
  }

  @Test
  void shouldUnpinShardsOfRemovedMember() {
    ClusterConfiguration pinned = three().pinned(range(0, 10), B).pinned(range(5, 6), A);
    assertEquals(3, pinned.pins().runs().size());
    assertEquals(1, pinned.without(B, A).pins().runs().size());
    assertNull(pinned.without(B, A).pins().at(4));
    assertEquals(A, pinned.without(B, A).pins().at(5));
  }

  @Test
  void shouldRejectTooManyPinnedRuns() {
    BitSet odd = new BitSet();
    for (int shard = 1; shard < LockShards.COUNT; shard += 2) {
      odd.set(shard);
    }
    ClusterConfiguration three = three();
    assertThrows(IllegalArgumentException.class, () -> three.pinned(odd, B));
  }

  @Test
  void shouldLetOneMemberChangeTheSchemaAtATime() {
    ClusterConfiguration changing = three().with(schema -> schema.begun(B));
    assertSame(changing, changing.with(schema -> schema.begun(A)));
    ClusterConfiguration ended = changing.with(schema -> schema.ended(40));
    assertEquals(A, ended.with(schema -> schema.begun(A)).schema().changer());
    assertEquals(40, ended.with(schema -> schema.ended(30)).schema().nextId());
  }

  @Test
  void shouldEndSchemaChangeOfRemovedMember() {
    ClusterConfiguration changing =
        three().with(schema -> schema.begun(B).keeping(List.of(7), List.of(8)));
    assertEquals(changing.schema(), changing.without(A, C).schema());
    SchemaState ended = changing.without(B, A).schema();
    assertNull(ended.changer());
    assertEquals(List.of(), ended.locked());
    assertEquals(List.of(), ended.drained());
    assertEquals(changing.schema().version() + 1, ended.version());
    assertTrue(ended.serial() > changing.schema().serial());
  }

  @Test
  void shouldDecodeEncodedConfiguration() {
    ClusterConfiguration before =
        three()
            .without(B, A)
            .recovered(B)
            .with(guest(new PeerId(3, 9)))
            .pinned(range(0, 4096), C)
            .pinned(range(7, 9), A)
            .with(schema -> schema.begun(A).keeping(List.of(16, 17), List.of(18)));
    byte[] bytes = before.encode();
    ClusterConfiguration after = ClusterConfiguration.decode(bytes);
    assertEquals(before.toString(), after.toString());
    assertEquals(before.nodes(), after.nodes());
    assertEquals(before.schema(), after.schema());
    for (int shard = 0; shard < LockShards.COUNT; shard++) {
      assertEquals(before.map().owner(shard), after.map().owner(shard));
      assertEquals(before.map().since(shard), after.map().since(shard));
    }
    assertEquals(A, after.takenOver(B, C).isRecoveredBy(B, A) ? A : null);
    for (int length = 0; length < bytes.length; length += 97) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> ClusterConfiguration.decode(cut));
    }
  }
}
