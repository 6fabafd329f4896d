package org.nelumbo.executor.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.remote.LockShards;

/**
 * The pinned shards and their members, as runs in ascending order that do not touch. Immutable.
 *
 * @param runs runs of shards that are pinned to one member
 */
public record ShardPins(List<Run> runs) {
  /** Maximum number of runs that fit into the configuration in the pool. */
  public static final int RUNS_MAX = 64;

  /** No pinned shards. */
  static final ShardPins NONE = new ShardPins(List.of());

  /**
   * A run of adjacent shards that are pinned to one member.
   *
   * @param first first shard
   * @param last last shard, inclusive
   * @param at member to which they are pinned
   */
  public record Run(int first, int last, PeerId at) {}

  public ShardPins {
    runs = List.copyOf(runs);
  }

  /** Returns the member to which a shard is pinned, or null. */
  public PeerId at(int shard) {
    for (Run each : runs) {
      if (shard <= each.last()) {
        return shard >= each.first() ? each.at() : null;
      }
    }
    return null;
  }

  /** Returns all pinned shards. */
  BitSet shards() {
    BitSet shards = new BitSet(LockShards.COUNT);
    runs.forEach(each -> shards.set(each.first(), each.last() + 1));
    return shards;
  }

  /** Returns the number of shards that are pinned to a member. */
  int count(PeerId at) {
    int count = 0;
    for (Run each : runs) {
      count += each.at().equals(at) ? each.last() + 1 - each.first() : 0;
    }
    return count;
  }

  private PeerId[] all() {
    PeerId[] all = new PeerId[LockShards.COUNT];
    for (Run each : runs) {
      for (int shard = each.first(); shard <= each.last(); shard++) {
        all[shard] = each.at();
      }
    }
    return all;
  }

  /**
   * Returns pins in which some shards are pinned to another member.
   *
   * @param at the member, or null to release the shards
   * @throws IllegalArgumentException if there would be too many runs
   */
  ShardPins with(BitSet shards, PeerId at) {
    PeerId[] all = all();
    shards.stream().forEach(shard -> all[shard] = at);
    return of(all);
  }

  /** Returns pins without the shards that are pinned to a member. */
  ShardPins without(PeerId gone) {
    return new ShardPins(runs.stream().filter(each -> !each.at().equals(gone)).toList());
  }

  private static ShardPins of(PeerId[] all) {
    List<Run> runs = new ArrayList<>();
    for (int shard = 0; shard < all.length; shard++) {
      PeerId at = all[shard];
      int first = shard;
      while (shard + 1 < all.length && at != null && at.equals(all[shard + 1])) {
        shard++;
      }
      if (at != null) {
        runs.add(new Run(first, shard, at));
      }
    }
    if (runs.size() > RUNS_MAX) {
      throw new IllegalArgumentException(
          "pinned shards would be " + runs.size() + " runs; the limit is " + RUNS_MAX);
    }
    return new ShardPins(runs);
  }

  void encode(ByteBuffer to) {
    to.putInt(runs.size());
    for (Run each : runs) {
      to.putShort((short) each.first()).putShort((short) each.last());
      to.putInt(each.at().node()).putLong(each.at().incarnation());
    }
  }

  /** Decodes the result of {@link #encode}. */
  static ShardPins decode(ByteBuffer from) {
    List<Run> runs = new ArrayList<>();
    for (int left = from.getInt(); left > 0; left--) {
      int first = from.getShort();
      int last = from.getShort();
      runs.add(new Run(first, last, new PeerId(from.getInt(), from.getLong())));
    }
    return new ShardPins(runs);
  }

  @Override
  public String toString() {
    return runs.toString();
  }
}
