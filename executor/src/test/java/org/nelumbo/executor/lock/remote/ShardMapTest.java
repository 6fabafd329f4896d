package org.nelumbo.executor.lock.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.peer.PeerId;

class ShardMapTest {
  private static final PeerId A = new PeerId(0, 1);
  private static final PeerId B = new PeerId(1, 1);
  private static final PeerId C = new PeerId(2, 1);

  private final ShardMap first = ShardMap.first(5, List.of(A, B));

  @Test
  void shouldDealOutShardsEvenly() {
    assertEquals(LockShards.COUNT / 2, first.shardsOf(A).cardinality());
    assertEquals(LockShards.COUNT / 2, first.shardsOf(B).cardinality());
    assertTrue(first.ownerless().isEmpty());
  }

  @Test
  void shouldCountChangesByEpoch() {
    BitSet shards = new BitSet();
    shards.set(7);
    ShardMap moved = first.with(C).given(shards, C);
    assertEquals(7, moved.epoch());
    assertEquals(C, moved.owner(7));
    assertEquals(7, moved.since(7));
    assertEquals(5, moved.since(8));
  }

  @Test
  void shouldLeaveShardsOfRemovedMemberOwnerless() {
    ShardMap left = first.without(A);
    assertFalse(left.isMember(A));
    assertNull(left.owner(0));
    assertEquals(first.shardsOf(A), left.ownerless());
  }

  /** A shard that left an owner and came back belonged to another owner in between. */
  @Test
  void shouldRefuseGrantsFromBeforeAMove() {
    BitSet shards = new BitSet();
    shards.set(0);
    assertTrue(first.isGrantValid(0, A, 5));
    ShardMap back = first.given(shards, B).given(shards, A);
    assertFalse(back.isGrantValid(0, A, 5));
    assertTrue(back.isGrantValid(0, A, 7));
    assertTrue(back.isGrantValid(1, A, 5));
    assertFalse(back.isGrantValid(0, B, 7));
  }

  @Test
  void shouldShardRowsByLowBitsAndLeavesByRegion() {
    assertEquals(0x234, LockShards.of(0xabcd_0000_0000_1234L));
    assertEquals(LockShards.of(0x12_3456_0000L), LockShards.of(0x12_3456_fc00L));
    BitSet seen = new BitSet();
    for (long region = 1; region <= 10_000; region++) {
      seen.set(LockShards.of(region << 16));
    }
    assertTrue(seen.cardinality() > 3_500, () -> "leaves share shards: " + seen.cardinality());
  }
}
