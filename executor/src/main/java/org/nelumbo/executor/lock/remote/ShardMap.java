package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.peer.PeerId;

/**
 * The compute nodes of a configuration, and the owner of each shard, under an epoch. Immutable; a
 * change creates the map of the next epoch. A shard has no owner between the failure of one owner
 * and the start of the next.
 */
public final class ShardMap {
  private static final byte NOBODY = -1;

  private final long epoch;
  private final List<PeerId> members;

  /** Index of each shard's owner among the members, or {@link #NOBODY}. */
  private final byte[] owners;

  /** Epoch in which the owner of a shard began, or the last one ended. */
  private final long[] since;

  private final BitSet ownerless = new BitSet(LockShards.COUNT);

  private ShardMap(long epoch, List<PeerId> members, byte[] owners, long[] since) {
    this.epoch = epoch;
    this.members = List.copyOf(members);
    this.owners = owners;
    this.since = since;
    for (int shard = 0; shard < owners.length; shard++) {
      if (owners[shard] == NOBODY) {
        ownerless.set(shard);
      }
    }
  }

  /** Creates the first map, in which all members own equally many shards, in ranges. */
  public static ShardMap first(long epoch, List<PeerId> members) {
    byte[] owners = new byte[LockShards.COUNT];
    for (int shard = 0; shard < owners.length; shard++) {
      owners[shard] = (byte) (shard * members.size() / owners.length);
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

  /** Returns true if a compute node may request locks. */
  public boolean isMember(PeerId peer) {
    return members.contains(peer);
  }

  /** Returns the owner of a shard; null if it has none. */
  public PeerId owner(int shard) {
    int owner = owners[shard];
    return owner == NOBODY ? null : members.get(owner);
  }

  /** Returns the epoch in which a shard got its owner, or lost it. */
  public long since(int shard) {
    return since[shard];
  }

  /** Returns the shards without owner. */
  public BitSet ownerless() {
    return (BitSet) ownerless.clone();
  }

  /** Returns true if every shard has an owner. */
  public boolean isAllOwned() {
    return ownerless.isEmpty();
  }

  /** Returns the shards of a compute node. */
  public BitSet shardsOf(PeerId peer) {
    BitSet result = new BitSet(LockShards.COUNT);
    int member = members.indexOf(peer);
    for (int shard = 0; shard < owners.length && member >= 0; shard++) {
      if (owners[shard] == member) {
        result.set(shard);
      }
    }
    return result;
  }

  /**
   * Returns true if a grant by an owner under an epoch is valid: the shard has had no other owner
   * since.
   */
  public boolean isGrantValid(int shard, PeerId granter, long grantEpoch) {
    return granter.equals(owner(shard)) && grantEpoch >= since[shard];
  }

  /** Returns the next map, with one more member, which owns nothing. */
  public ShardMap with(PeerId member) {
    List<PeerId> more = new ArrayList<>(members);
    more.add(member);
    return new ShardMap(epoch + 1, more, owners, since);
  }

  /** Returns the next map, without a member; its shards have no owner. */
  public ShardMap without(PeerId member) {
    int gone = members.indexOf(member);
    if (gone < 0) {
      return again();
    }
    ShardMap left = changed(shardsOf(member), NOBODY);
    for (int shard = 0; shard < owners.length; shard++) {
      left.owners[shard] -= (byte) (left.owners[shard] > gone ? 1 : 0);
    }
    List<PeerId> fewer = new ArrayList<>(members);
    fewer.remove(gone);
    return new ShardMap(left.epoch, fewer, left.owners, left.since);
  }

  /** Returns the next map, with the same owners. */
  public ShardMap again() {
    return new ShardMap(epoch + 1, members, owners, since);
  }

  /**
   * Returns the next map, in which shards without owner are assigned.
   *
   * @param takers members that get the shards; each shard goes to the one that owns least
   */
  public ShardMap dealt(List<PeerId> takers) {
    int[] owned = new int[takers.size()];
    byte[] entries = new byte[takers.size()];
    for (int i = 0; i < owned.length; i++) {
      owned[i] = shardsOf(takers.get(i)).cardinality();
      entries[i] = index(takers.get(i));
    }
    byte[] newOwners = owners.clone();
    long[] newSince = since.clone();
    for (int shard = 0; shard < owners.length; shard++) {
      if (owners[shard] == NOBODY) {
        int least = 0;
        for (int i = 1; i < owned.length; i++) {
          least = owned[i] < owned[least] ? i : least;
        }
        owned[least]++;
        newOwners[shard] = entries[least];
        newSince[shard] = epoch + 1;
      }
    }
    return new ShardMap(epoch + 1, members, newOwners, newSince);
  }

  /** Returns the next map, in which a member owns these shards. */
  public ShardMap given(BitSet shards, PeerId member) {
    return changed(shards, index(member));
  }

  private byte index(PeerId member) {
    int index = members.indexOf(member);
    if (index < 0) {
      throw new IllegalArgumentException(member + " is not a member of " + this);
    }
    return (byte) index;
  }

  private ShardMap changed(BitSet shards, byte owner) {
    byte[] newOwners = owners.clone();
    long[] newSince = since.clone();
    shards.stream()
        .forEach(
            shard -> {
              newOwners[shard] = owner;
              newSince[shard] = epoch + 1;
            });
    return new ShardMap(epoch + 1, members, newOwners, newSince);
  }

  /** Writes the format of {@link #decode}: epoch, members, owner and start epoch of each shard. */
  public void encode(ByteBuffer to) {
    to.putLong(epoch).putInt(members.size());
    members.forEach(each -> to.putInt(each.node()).putLong(each.incarnation()));
    for (int shard = 0; shard < owners.length; shard++) {
      to.put(owners[shard]).putInt(Math.toIntExact(since[shard]));
    }
  }

  /**
   * Reads a map.
   *
   * @throws java.nio.BufferUnderflowException if it ends too early
   * @throws IllegalArgumentException if it is invalid
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
    byte[] owners = new byte[LockShards.COUNT];
    long[] since = new long[LockShards.COUNT];
    for (int shard = 0; shard < owners.length; shard++) {
      byte owner = from.get();
      if (owner < NOBODY || owner >= count) {
        throw new IllegalArgumentException("shard=" + shard + " owner=" + owner);
      }
      owners[shard] = owner;
      since[shard] = from.getInt();
    }
    return new ShardMap(epoch, members, owners, since);
  }

  @Override
  public String toString() {
    return "epoch " + epoch + " of " + members;
  }
}
