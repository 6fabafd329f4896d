package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.peer.PeerId;

/**
 * Which compute nodes there are, and which of them owns each shard, under an epoch. Immutable; a
 * change makes the map of the next epoch. A shard has no owner from the death of one to the
 * beginning of the next.
 */
public final class ShardMap {
  private final long epoch;
  private final List<PeerId> members;
  private final PeerId[] owners;

  /** Epoch in which the owner of a shard began, or the last one ended. */
  private final long[] since;

  private final BitSet ownerless = new BitSet(LockShards.COUNT);

  private ShardMap(long epoch, List<PeerId> members, PeerId[] owners, long[] since) {
    this.epoch = epoch;
    this.members = List.copyOf(members);
    this.owners = owners;
    this.since = since;
    for (int shard = 0; shard < owners.length; shard++) {
      if (owners[shard] == null) {
        ownerless.set(shard);
      }
    }
  }

  /** The first map: each of the members owns as many shards as the others, in ranges. */
  public static ShardMap first(long epoch, List<PeerId> members) {
    PeerId[] owners = new PeerId[LockShards.COUNT];
    for (int shard = 0; shard < owners.length; shard++) {
      owners[shard] = members.get(shard * members.size() / owners.length);
    }
    long[] since = new long[LockShards.COUNT];
    Arrays.fill(since, epoch);
    return new ShardMap(epoch, members, owners, since);
  }

  public long epoch() {
    return epoch;
  }

  public List<PeerId> members() {
    return members;
  }

  /** Who may ask for locks. */
  public boolean isMember(PeerId peer) {
    return members.contains(peer);
  }

  /** Who owns a shard; null if nobody does. */
  public PeerId owner(int shard) {
    return owners[shard];
  }

  /** The epoch in which a shard got its owner, or lost it. */
  public long since(int shard) {
    return since[shard];
  }

  /** Shards that nobody owns. */
  public BitSet ownerless() {
    return (BitSet) ownerless.clone();
  }

  /** Whether somebody owns each shard. */
  public boolean isAllOwned() {
    return ownerless.isEmpty();
  }

  /** Shards of a compute node. */
  public BitSet shardsOf(PeerId peer) {
    BitSet result = new BitSet(LockShards.COUNT);
    for (int shard = 0; shard < owners.length; shard++) {
      if (peer.equals(owners[shard])) {
        result.set(shard);
      }
    }
    return result;
  }

  /** Whether a grant by an owner under an epoch is good: nobody else has owned the shard since. */
  public boolean isGrantValid(int shard, PeerId granter, long grantEpoch) {
    return granter.equals(owners[shard]) && grantEpoch >= since[shard];
  }

  /** The next map, with one more member, which owns nothing. */
  public ShardMap with(PeerId member) {
    List<PeerId> more = new ArrayList<>(members);
    more.add(member);
    return new ShardMap(epoch + 1, more, owners, since);
  }

  /** The next map, without a member: nobody owns what it owned. */
  public ShardMap without(PeerId member) {
    List<PeerId> fewer = new ArrayList<>(members);
    fewer.remove(member);
    return changed(fewer, shardsOf(member), null);
  }

  /** The next map, with the same owners. */
  public ShardMap again() {
    return new ShardMap(epoch + 1, members, owners, since);
  }

  /**
   * The next map, in which shards that nobody owns are dealt out.
   *
   * @param takers members, each of which gets the more the less it owns
   */
  public ShardMap dealt(List<PeerId> takers) {
    int[] owned = new int[takers.size()];
    for (int i = 0; i < owned.length; i++) {
      owned[i] = shardsOf(takers.get(i)).cardinality();
    }
    PeerId[] newOwners = owners.clone();
    long[] newSince = since.clone();
    for (int shard = 0; shard < owners.length; shard++) {
      if (owners[shard] == null) {
        int least = 0;
        for (int i = 1; i < owned.length; i++) {
          least = owned[i] < owned[least] ? i : least;
        }
        owned[least]++;
        newOwners[shard] = takers.get(least);
        newSince[shard] = epoch + 1;
      }
    }
    return new ShardMap(epoch + 1, members, newOwners, newSince);
  }

  /** The next map, in which a member owns these shards. */
  public ShardMap given(BitSet shards, PeerId member) {
    return changed(members, shards, member);
  }

  private ShardMap changed(List<PeerId> newMembers, BitSet shards, PeerId owner) {
    PeerId[] newOwners = owners.clone();
    long[] newSince = since.clone();
    shards.stream()
        .forEach(
            shard -> {
              newOwners[shard] = owner;
              newSince[shard] = epoch + 1;
            });
    return new ShardMap(epoch + 1, newMembers, newOwners, newSince);
  }

  /** Writes what {@link #decode} reads: epoch, members, owner and beginning of each shard. */
  public void encode(ByteBuffer to) {
    to.putLong(epoch).putInt(members.size());
    members.forEach(each -> to.putInt(each.node()).putLong(each.incarnation()));
    for (int shard = 0; shard < owners.length; shard++) {
      PeerId owner = owners[shard];
      to.put((byte) (owner == null ? -1 : members.indexOf(owner)))
          .putInt(Math.toIntExact(since[shard]));
    }
  }

  /**
   * Reads a map.
   *
   * @throws java.nio.BufferUnderflowException if it ends too early
   * @throws IllegalArgumentException if it is none
   */
  public static ShardMap decode(ByteBuffer from) {
    long epoch = from.getLong();
    int count = from.getInt();
    if (count < 0 || count > SuperblockLayout.COMPUTE_NODES) {
      throw new IllegalArgumentException("members=" + count);
    }
    List<PeerId> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(new PeerId(from.getInt(), from.getLong()));
    }
    PeerId[] owners = new PeerId[LockShards.COUNT];
    long[] since = new long[LockShards.COUNT];
    for (int shard = 0; shard < owners.length; shard++) {
      int owner = from.get();
      if (owner >= count) {
        throw new IllegalArgumentException("shard=" + shard + " owner=" + owner);
      }
      owners[shard] = owner < 0 ? null : members.get(owner);
      since[shard] = from.getInt();
    }
    return new ShardMap(epoch, members, owners, since);
  }

  @Override
  public String toString() {
    return "epoch " + epoch + " of " + members;
  }
}
