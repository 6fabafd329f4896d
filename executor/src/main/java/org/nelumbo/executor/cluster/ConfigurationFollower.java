package org.nelumbo.executor.cluster;

import java.lang.foreign.ValueLayout;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.timestamp.Clock;

/**
 * Follows the configuration for one member: reads each new version, installs it, and publishes that
 * the member has settled it. Confined to one thread, except where a method says otherwise.
 */
final class ConfigurationFollower {
  /** Time without a change after which the configuration is read less often. */
  private static final long QUIET_AFTER_NANOS = 2_000_000_000L;

  /** Factor by which the pause between two reads is longer then. */
  private static final int QUIET_POLLS = 8;

  private final Environment environment;
  private final Channel channel;
  private final Clock clock;
  private final ConfigurationRegister register;
  private final ClusterLocks locks;
  private final MemberSchema schema;
  private final PeerId id;
  private long settled;
  private long changedNanos;
  private volatile ClusterConfiguration known;
  private volatile int ownedShards;
  private volatile int ownerlessShards;

  /**
   * Creates a follower.
   *
   * @param register register on the channel
   * @param first configuration by which this compute node became a member
   * @param id identity of this member
   */
  ConfigurationFollower(
      Environment environment,
      Channel channel,
      Clock clock,
      ConfigurationRegister register,
      ClusterConfiguration first,
      ClusterLocks locks,
      MemberSchema schema,
      PeerId id) {
    this.environment = environment;
    this.channel = channel;
    this.clock = clock;
    this.register = register;
    this.locks = locks;
    this.schema = schema;
    this.id = id;
    know(first);
  }

  /** Returns the configuration that was installed last. For any thread. */
  ClusterConfiguration known() {
    return known;
  }

  /** Returns the number of shards that this member owns. For any thread. */
  int ownedShards() {
    return ownedShards;
  }

  /** Returns the number of shards without an owner. For any thread. */
  int ownerlessShards() {
    return ownerlessShards;
  }

  /** Returns true if this member has settled the installed configuration. */
  boolean isSettled() {
    return settled == known.version();
  }

  /** Waits until the next read is due, or the thread is woken. */
  void pause() {
    boolean isQuiet = environment.nanoTime() - changedNanos >= QUIET_AFTER_NANOS;
    long nanos = isQuiet ? QUIET_POLLS * schema.pollNanos() : schema.pollNanos();
    environment.parkNanos(nanos / 2 + Math.floorMod(environment.randomLong(), nanos));
  }

  /** Installs a later configuration if there is one, and settles it if possible. */
  void hear() {
    int mark = channel.mark();
    int version = ConfigurationRegister.postReadVersion(channel);
    channel.flush();
    if (channel.staging().get(ValueLayout.JAVA_LONG, version) != known.version()) {
      install(ClusterConfiguration.decode(register.read().bytes()));
    }
    settle();
    if (known.awaitsMembers()) {
      advance();
    }
    channel.release(mark);
  }

  private void advance() {
    int table = ComputeNodeTable.postRead(channel);
    channel.flush();
    ToLongFunction<PeerId> ofMember =
        each -> ComputeNodeTable.settled(channel.staging(), table, ClusterNode.entry(each));
    if (known.advanced(ofMember) != known) {
      install(change(latest -> latest.advanced(ofMember)));
      settle();
    }
  }

  /** Changes the configuration, and returns the result without installing it. */
  ClusterConfiguration change(UnaryOperator<ClusterConfiguration> change) {
    return SharedConfiguration.change(register, change);
  }

  /**
   * Installs a configuration.
   *
   * @throws FabricException if this compute node is not a member of it
   */
  void install(ClusterConfiguration next) {
    if (!next.isMember(id)) {
      throw new FabricException(
          0, "the other compute nodes of the pool have declared this one failed", null);
    }
    ClusterConfiguration before = known;
    if (next.map().epoch() != before.map().epoch()) {
      // Locks that are granted here from now on follow commits of which no message has told.
      clock.read(channel);
    }
    know(next);
    locks.install(next.map());
    next.recoveredSince(before.version()).forEach(locks::releaseHolders);
    if (next.schema().serial() != before.schema().serial()) {
      schema.noteChange();
    }
  }

  private void know(ClusterConfiguration next) {
    changedNanos = environment.nanoTime();
    ownedShards = next.map().shardsOf(id).cardinality();
    ownerlessShards = next.map().ownerless().cardinality();
    known = next;
  }

  /** Publishes that this member has settled the configuration, once its transactions allow it. */
  void settle() {
    if (!isSettled() && locks.isDrained()) {
      settled = known.version();
      ComputeNodeTable.postSettled(channel, ClusterNode.entry(id), settled);
      channel.flush();
    }
  }
}
