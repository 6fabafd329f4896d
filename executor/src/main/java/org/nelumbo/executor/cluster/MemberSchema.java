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
 * The schema part of the configuration, for one member. The table of compute nodes has a separate
 * word for the schema that each member has settled, so that a waiting schema change does not delay
 * the reassignment of shards. Thread-safe.
 */
final class MemberSchema implements SchemaAgreement {
  private final SharedConfiguration shared;
  private final Fabric fabric;
  private final PeerId self;
  private final Supplier<ClusterConfiguration> known;
  private final Runnable checkNotLost;
  private final long pollNanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock; null before it is needed, and after this compute node has left. */
  private Channel channel;

  private boolean isClosed;

  private volatile ClusterConfiguration changed;

  /**
   * All members seen since the last schema change began. Like the next field, confined to the
   * holder of the schema-change lease.
   */
  private final Set<PeerId> met = new HashSet<>();

  private boolean wasWhole;

  private volatile Runnable listener = () -> {};

  /**
   * Creates the schema part of a member.
   *
   * @param known returns the configuration that is installed locally, or null
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
      return false; // changes of a failed compute node in a table may have to be repaired first
    }
    lock.lock();
    try {
      if (isClosed) {
        return true; // the waiting thread ends with this member
      }
      Channel own = channel();
      int mark = own.mark();
      int table = ComputeNodeTable.postRead(own);
      own.flush();
      own.release(mark); // the staging buffer keeps its contents
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

  /** Notifies the listener that another configuration is installed. */
  void noteChange() {
    listener.run();
  }

  /** Closes the channel, after this member has stopped following the schema. */
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
