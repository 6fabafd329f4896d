package org.nelumbo.simulation.locks;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.cluster.ClusterNode;
import org.nelumbo.executor.lock.remote.ShardMap;

/**
 * The configuration of a simulated cluster, in one object. Changes take no time; members receive
 * them with a delay.
 */
final class ConfigurationBoard {
  private final LockLedger ledger;
  private final Map<PeerId, Long> settled = new HashMap<>();
  private ClusterConfiguration configuration;

  ConfigurationBoard(LockLedger ledger, List<PeerId> members) {
    this.ledger = ledger;
    this.configuration = ClusterConfiguration.first(node(members.getFirst()));
    members.stream().skip(1).forEach(this::join);
  }

  private static ClusterNode node(PeerId id) {
    return new ClusterNode(id, id.node(), false, id.toString(), 0);
  }

  ClusterConfiguration configuration() {
    return configuration;
  }

  ShardMap map() {
    return configuration.map();
  }

  void join(PeerId member) {
    configuration = configuration.with(node(member));
  }

  /** Fences a member, and removes it. */
  void remove(PeerId member) {
    if (configuration.isMember(member)) {
      ledger.fence(member);
      configuration = configuration.without(member, member);
    }
  }

  /** Completes or undoes the transactions of a removed member. */
  void recover(PeerId gone) {
    ledger.recovered(gone);
    configuration = configuration.recovered(gone).repaired(gone);
    advance();
  }

  /** Records that a member has done the work required by a version. */
  void settle(PeerId member, long version) {
    settled.merge(member, version, Math::max);
    advance();
  }

  private void advance() {
    configuration = configuration.advanced(each -> settled.getOrDefault(each, 0L));
  }

  /**
   * Moves shards from their owner to another member; returns false if the configuration does not
   * change, because a member has been removed or fenced.
   */
  boolean move(BitSet shards, PeerId from, PeerId to) {
    ClusterConfiguration before = configuration;
    if (!ledger.isFenced(from)) {
      configuration = configuration.moved(shards, from, to);
    }
    return configuration != before;
  }
}
