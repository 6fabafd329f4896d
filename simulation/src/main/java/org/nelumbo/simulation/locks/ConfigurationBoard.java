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
 * The configuration of a simulated cluster, at one place. Changes take no time; to hear of them
 * does.
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

  /** A member is fenced, and is none any more. */
  void remove(PeerId member) {
    if (configuration.isMember(member)) {
      ledger.fence(member);
      configuration = configuration.without(member, member);
    }
  }

  /** The transactions of a member that was removed are completed or undone. */
  void recover(PeerId gone) {
    ledger.recovered(gone);
    configuration = configuration.recovered(gone).repaired(gone);
    advance();
  }

  /** A member has done what a version asks of it. */
  void settle(PeerId member, long version) {
    settled.merge(member, version, Math::max);
    advance();
  }

  private void advance() {
    configuration = configuration.advanced(each -> settled.getOrDefault(each, 0L));
  }

  /** An owner gives shards to another member; false if one of them is none any more. */
  boolean move(BitSet shards, PeerId from, PeerId to) {
    ClusterConfiguration before = configuration;
    if (!ledger.isFenced(from)) {
      configuration = configuration.moved(shards, from, to);
    }
    return configuration != before;
  }
}
