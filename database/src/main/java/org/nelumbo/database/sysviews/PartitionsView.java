package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.add;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.optionalNumber;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.row.LotusKeys;
import org.nelumbo.planner.catalog.Catalog;

/** SYS.PARTITIONS: the memory nodes with the rows of each shard, for all tables. */
final class PartitionsView {
  private final Engine engine;

  PartitionsView(Engine engine) {
    this.engine = engine;
  }

  void addTo(Catalog catalog) {
    add(
        catalog,
        "PARTITIONS",
        this::rows,
        number("SHARD"),
        number("LOGICAL_NODE"),
        optionalNumber("PRIMARY_NODE"),
        text("BACKUP_NODES"));
  }

  private List<Object[]> rows() {
    ReplicationStatus replicationStatus = engine.fabric().replicationStatus();
    List<Object[]> rows = new ArrayList<>();
    for (int shard = 0; shard < LotusKeys.SHARDS; shard++) {
      int node = engine.partitionNode(shard);
      rows.add(row(shard, node, liveCopies(node, replicationStatus)));
    }
    return rows;
  }

  private static Object[] row(int shard, int node, List<Integer> copies) {
    Long primary = copies.isEmpty() ? null : copies.getFirst().longValue();
    StringJoiner backups = new StringJoiner(", ");
    copies.stream().skip(1).forEach(copy -> backups.add(copy.toString()));
    return new Object[] {(long) shard, (long) node, primary, backups.toString()};
  }

  /** The copy that is read comes first. */
  private static List<Integer> liveCopies(int node, ReplicationStatus replicationStatus) {
    if (replicationStatus.nodes().isEmpty()) {
      return List.of(node);
    }
    List<Integer> live = new ArrayList<>();
    for (int copy = 0; copy < replicationStatus.copies(); copy++) {
      int holder = replicationStatus.holder(node, copy);
      if (replicationStatus.nodes().get(holder).state() == ReplicationStatus.State.LIVE) {
        live.add(holder);
      }
    }
    return live;
  }
}
