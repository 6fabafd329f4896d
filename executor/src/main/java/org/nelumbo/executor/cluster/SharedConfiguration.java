package org.nelumbo.executor.cluster;

import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.dm.superblock.ConfigurationRegister.Content;

/**
 * The configuration in the pool's memory, as one compute node reads and changes it. Thread-safe:
 * each call opens a channel. The thread that follows the configuration keeps a {@link #register}
 * instead.
 */
final class SharedConfiguration {
  /** Includes room for the table of compute nodes. */
  private static final int STAGING_BYTES = ConfigurationRegister.STAGING_BYTES + (8 << 10);

  private final Environment environment;
  private final Fabric fabric;
  private final ComputeNodeEntry self;
  private final FailureDetector detector;
  private final Runnable onChange;

  /**
   * Creates the access to the configuration of a pool.
   *
   * @param detector fences a failed compute node that holds the latch of the configuration
   * @param onChange runs after each change, whether it has succeeded or not
   */
  SharedConfiguration(
      Environment environment,
      Fabric fabric,
      ComputeNodeEntry self,
      FailureDetector detector,
      Runnable onChange) {
    this.environment = environment;
    this.fabric = fabric;
    this.self = self;
    this.detector = detector;
    this.onChange = onChange;
  }

  /** Opens a channel with room for the configuration and the table of compute nodes. */
  Channel openChannel() {
    return fabric.openChannel(STAGING_BYTES);
  }

  /** Returns a register on a channel. Another thread of this process may hold the latch. */
  ConfigurationRegister register(Channel channel) {
    return new ConfigurationRegister(
        environment,
        channel,
        fabric.nodeBytes(0),
        self.number(),
        holder -> holder != self.number() && detector.isFencedIfDead(holder));
  }

  /** Reads the configuration. */
  ClusterConfiguration read() {
    try (Channel channel = openChannel()) {
      return ClusterConfiguration.decode(register(channel).read().bytes());
    }
  }

  /** Changes the configuration, and returns the result. */
  ClusterConfiguration change(UnaryOperator<ClusterConfiguration> change) {
    try (Channel channel = openChannel()) {
      return change(register(channel), change);
    } finally {
      onChange.run();
    }
  }

  /**
   * Changes the configuration through a register. The change receives null if there is no
   * configuration yet.
   */
  static ClusterConfiguration change(
      ConfigurationRegister register, UnaryOperator<ClusterConfiguration> change) {
    Content content =
        register.change(
            before -> {
              ClusterConfiguration old =
                  before.version() == 0 ? null : ClusterConfiguration.decode(before.bytes());
              ClusterConfiguration next = change.apply(old);
              return next == old ? null : new Content(next.version(), next.encode());
            });
    return ClusterConfiguration.decode(content.bytes());
  }
}
