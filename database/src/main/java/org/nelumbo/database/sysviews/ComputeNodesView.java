package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.add;
import static org.nelumbo.database.sysviews.ViewColumns.bool;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.optionalMoment;
import static org.nelumbo.database.sysviews.ViewColumns.optionalNumber;
import static org.nelumbo.database.sysviews.ViewColumns.optionalText;
import static org.nelumbo.database.sysviews.ViewColumns.raw;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.nelumbo.database.AttachReport;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.cluster.ClusterReport;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.remote.ClusterLockCounts;
import org.nelumbo.executor.lock.remote.LockShards;
import org.nelumbo.executor.timestamp.Timestamps;
import org.nelumbo.planner.catalog.Catalog;

/**
 * SYS.COMPUTE_NODES and SYS.SHARDS: the members of the pool, and the owners of the lock shards. The
 * first one reads from the memory nodes.
 */
final class ComputeNodesView {
  private final Engine engine;
  private final AttachReport attach;
  private final Supplier<ClusterMember> memberOrNull;
  private final Supplier<String> ownName;

  /**
   * Creates the views of a compute node.
   *
   * @param memberOrNull supplies null while the pool is exclusive
   * @param ownName display name of this compute node
   */
  ComputeNodesView(
      Engine engine,
      AttachReport attach,
      Supplier<ClusterMember> memberOrNull,
      Supplier<String> ownName) {
    this.engine = engine;
    this.attach = attach;
    this.memberOrNull = memberOrNull;
    this.ownName = ownName;
  }

  void addTo(Catalog catalog) {
    add(
        catalog,
        "COMPUTE_NODES",
        this::nodes,
        number("NODE"),
        optionalText("NAME"),
        text("STATE"),
        bool("IS_SELF"),
        bool("IS_GUEST"),
        optionalMoment("SINCE"),
        optionalNumber("SILENT_MILLIS"),
        number("SHARDS"),
        optionalNumber("CONFIGURATION"),
        optionalNumber("SCHEMA_SERIAL"),
        optionalNumber("HORIZON_MILLIS"),
        optionalNumber("LOCAL_LOCKS"),
        optionalNumber("REMOTE_LOCKS"));
    add(
        catalog,
        "SHARDS",
        this::shards,
        number("SHARD"),
        optionalNumber("NODE"),
        text("STATE"),
        number("SINCE_EPOCH"),
        optionalNumber("PLACED_AT"));
  }

  private List<Object[]> nodes() {
    ClusterMember member = memberOrNull.get();
    List<Object[]> rows = new ArrayList<>();
    if (member == null) {
      rows.add(alone());
      return rows;
    }
    ClusterLockCounts locks = member.statistics().locks();
    for (ClusterReport.Node each : member.report().nodes()) {
      boolean isSelf = each.number() == engine.node().number();
      rows.add(row(each, isSelf, locks));
    }
    return rows;
  }

  private Object[] alone() {
    return new Object[] {
      (long) engine.node().number(),
      ownName.get(),
      "ALONE",
      raw(true),
      raw(false),
      attach.startMicros() == 0 ? null : attach.startMicros(),
      null,
      (long) LockShards.COUNT,
      null,
      null,
      TimeUnit.NANOSECONDS.toMillis(engine.epochs().horizonNanos()),
      null,
      null
    };
  }

  private Object[] row(ClusterReport.Node node, boolean isSelf, ClusterLockCounts own) {
    boolean isMember =
        node.state() == ClusterReport.State.MEMBER || node.state() == ClusterReport.State.SILENT;
    return new Object[] {
      node.number(),
      node.name().isEmpty() ? null : node.name(),
      node.state().name(),
      raw(isSelf),
      raw(node.isGuest()),
      node.joinedMicros() == 0 ? null : node.joinedMicros(),
      node.silentNanos() < 0 ? null : TimeUnit.NANOSECONDS.toMillis(node.silentNanos()),
      (long) node.shards(),
      isMember ? node.settled() : null,
      isMember ? node.settledSchema() : null,
      node.horizon() == 0 ? null : lagMillis(node.horizon()),
      isSelf ? own.local() : null,
      isSelf ? own.remote() : null
    };
  }

  private long lagMillis(long horizon) {
    long micros =
        Timestamps.toEpochMicros(engine.clock().now()) - Timestamps.toEpochMicros(horizon);
    return Math.max(0, TimeUnit.MICROSECONDS.toMillis(micros));
  }

  private List<Object[]> shards() {
    ClusterMember member = memberOrNull.get();
    ClusterConfiguration configuration = member == null ? null : member.configuration();
    BitSet moving = member == null ? new BitSet() : member.movingShards();
    List<Object[]> rows = new ArrayList<>();
    for (int shard = 0; shard < LockShards.COUNT; shard++) {
      rows.add(
          configuration == null
              ? new Object[] {(long) shard, (long) engine.node().number(), "OWNED", 0L, null}
              : shard(shard, configuration, moving.get(shard)));
    }
    return rows;
  }

  private static Object[] shard(int shard, ClusterConfiguration configuration, boolean isMoving) {
    PeerId owner = configuration.map().owner(shard);
    PeerId pinned = configuration.pins().at(shard);
    return new Object[] {
      (long) shard,
      owner == null ? null : owner.incarnation(),
      owner == null ? "OWNERLESS" : isMoving ? "MOVING" : "OWNED",
      configuration.map().since(shard),
      pinned == null ? null : pinned.incarnation()
    };
  }
}
