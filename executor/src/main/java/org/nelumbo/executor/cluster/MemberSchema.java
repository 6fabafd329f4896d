package org.nelumbo.executor.cluster;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.superblock.ComputeNodeTable;

/**
 * The part of the configuration that is about the schema, for one member. What members have settled
 * is in a word of its own of the table of compute nodes: a schema change that waits does not keep
 * shards from being dealt out. Thread-safe.
 */
final class MemberSchema implements SchemaAgreement {
  private final SharedConfiguration shared;
  private final Fabric fabric;
  private final PeerId self;
  private final Supplier<ClusterConfiguration> known;
  private final Runnable checkNotLost;
  private final long pollNanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock; null until it is needed, and when this compute node has left. */
  private Channel channel;

  private boolean isClosed;

  /** What this compute node has last changed; null if it has not. */
  private volatile ClusterConfiguration changed;

  /** All that were there since the last turn began; of who has the turn, as what follows. */
  private final Set<PeerId> met = new HashSet<>();

  private boolean wasWhole;

  private volatile Runnable listener = () -> {};

  /**
   * The schema for a member.
   *
   * @param known the latest configuration that is installed here; null if none is
   * @param checkNotLost throws if the member has lost the pool
   */
  MemberSchema(
      SharedConfiguration shared,
      Fabric fabric,
      PeerId self,
      Supplier<ClusterConfiguration> known,
      Runnable checkNotLost,
      long pollNanos) {
    this.shared = shared;
    this.fabric = fabric;
    this.self = self;
    this.known = known;
    this.checkNotLost = checkNotLost;
    this.pollNanos = pollNanos;
  }

  @Override
  public PeerId self() {
    return self;
  }

  @Override
  public SchemaState state() {
    checkNotLost.run();
    return latest().schema();
  }

  @Override
  public SchemaState begin() {
    met.clear();
    SchemaState begun = change(before -> before.begun(self));
    wasWhole = changed.isRepaired();
    return begun;
  }

  @Override
  public SchemaState change(UnaryOperator<SchemaState> change) {
    ClusterConfiguration next = shared.change(before -> before.with(change));
    changed = next;
    next.nodes().forEach(each -> met.add(each.id()));
    return next.schema();
  }

  @Override
  public boolean hasLostAnybody() {
    ClusterConfiguration latest = latest();
    return !wasWhole || !latest.isRepaired() || !met.stream().allMatch(latest::isMember);
  }

  /** What is known here, by this or by what follows the configuration. */
  private ClusterConfiguration latest() {
    ClusterConfiguration installed = known.get();
    ClusterConfiguration own = changed;
    return own == null || installed.version() > own.version() ? installed : own;
  }

  @Override
  public boolean isSettledByAll() {
    ClusterConfiguration wanted = changed;
    ClusterConfiguration latest = latest();
    if (!latest.isRepaired()) {
      return false; // what a dead one has left in a table may have to be put right first
    }
    lock.lock();
    try {
      if (isClosed) {
        return true; // who waits goes with it
      }
      Channel own = channel();
      int mark = own.mark();
      int table = ComputeNodeTable.postRead(own);
      own.flush();
      own.release(mark); // what was read stays there
      for (ClusterNode each : wanted.nodes()) {
        long settled =
            ComputeNodeTable.settledSchema(own.staging(), table, ClusterNode.entry(each.id()));
        boolean isAsked = latest.isMember(each.id()) && !each.id().equals(self);
        if (isAsked && settled < wanted.schema().serial()) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void settle(long serial) {
    lock.lock();
    try {
      if (!isClosed) {
        Channel own = channel();
        ComputeNodeTable.postSettledSchema(own, ClusterNode.entry(self), serial);
        own.flush();
      }
    } finally {
      lock.unlock();
    }
  }

  private Channel channel() {
    if (channel == null) {
      channel = fabric.openChannel(SuperblockLayout.LENGTH);
    }
    return channel;
  }

  @Override
  public long pollNanos() {
    return pollNanos;
  }

  @Override
  public void setListener(Runnable newListener) {
    listener = newListener;
  }

  /** Another configuration is known here. */
  void noteChange() {
    listener.run();
  }

  /** Lets go of its channel: nobody follows the schema here any more. */
  void close() {
    lock.lock();
    try {
      isClosed = true;
      if (channel != null) {
        channel.close();
        channel = null;
      }
    } finally {
      lock.unlock();
    }
  }
}
