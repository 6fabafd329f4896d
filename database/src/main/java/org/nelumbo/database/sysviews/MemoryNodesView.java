package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.add;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.optionalNumber;
import static org.nelumbo.database.sysviews.ViewColumns.optionalText;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.planner.catalog.Catalog;

/** SYS.MEMORY_NODES: the memory nodes of the pool, and their parts of it. */
final class MemoryNodesView {
  private static final long NANOS_A_MICRO = 1_000;

  private final Engine engine;

  MemoryNodesView(Engine engine) {
    this.engine = engine;
  }

  void addTo(Catalog catalog) {
    add(
        catalog,
        "MEMORY_NODES",
        this::rows,
        number("NODE"),
        optionalText("ADDRESS"),
        text("STATE"),
        optionalNumber("BYTES"),
        optionalNumber("TAKEN_BYTES"),
        optionalNumber("FILLED_BYTES"),
        optionalNumber("FILL_BYTES"),
        optionalText("WHY"),
        optionalNumber("VIEW_NUMBER"),
        optionalNumber("FILL_LEFT_BYTES"),
        optionalNumber("FILL_SECONDS_LEFT"),
        optionalNumber("ANSWER_MICROS"),
        optionalNumber("FILL_COPIED_BYTES"),
        optionalNumber("FILL_EQUAL_BYTES"));
  }

  private List<Object[]> rows() {
    Fabric fabric = engine.fabric();
    ReplicationStatus replicationStatus = fabric.replicationStatus();
    List<Object[]> rows = new ArrayList<>();
    if (replicationStatus.nodes().isEmpty()) {
      for (int node = 0; node < fabric.nodeCount(); node++) {
        String state = ReplicationStatus.State.LIVE.name();
        long bytes = fabric.nodeBytes(node);
        long taken = engine.takenBytes(node);
        String name = fabric.nodeName(node);
        String address = name.isEmpty() ? null : name;
        String problem = fabric.nodeProblem(node);
        String why = problem.isEmpty() ? null : problem;
        rows.add(
            new Object[] {
              (long) node,
              address,
              state,
              bytes,
              taken,
              null,
              null,
              why,
              null,
              null,
              null,
              null,
              null,
              null
            });
      }
    }
    for (int node = 0; node < replicationStatus.nodes().size(); node++) {
      rows.add(row(node, replicationStatus));
    }
    return rows;
  }

  private Object[] row(int number, ReplicationStatus replicationStatus) {
    ReplicationStatus.Node node = replicationStatus.nodes().get(number);
    boolean isOut = node.state() == ReplicationStatus.State.OUT;
    boolean isFilling = node.state() == ReplicationStatus.State.FILLING;
    return new Object[] {
      (long) number,
      node.address(),
      node.state().name(),
      isOut ? null : node.bytes(),
      isOut ? null : takenBytes(number, replicationStatus),
      isFilling ? node.filledBytes() : null,
      isFilling ? node.fillBytes() : null,
      why(number, replicationStatus),
      replicationStatus.view(),
      isFilling ? node.leftBytes() : null,
      isFilling && node.secondsLeft() >= 0 ? node.secondsLeft() : null,
      node.replyNanos() > 0 ? node.replyNanos() / NANOS_A_MICRO : null,
      node.copiedBytes(),
      node.equalBytes()
    };
  }

  private static String why(int number, ReplicationStatus replicationStatus) {
    ReplicationStatus.Node node = replicationStatus.nodes().get(number);
    if (replicationStatus.isSlow(number)) {
      return "responds slowly, and each write waits for it: after "
          + node.replyNanos() / NANOS_A_MICRO
          + " us, the others after "
          + replicationStatus.usualReplyNanos(number) / NANOS_A_MICRO
          + " us";
    }
    return node.why().isEmpty() ? null : node.why();
  }

  private long takenBytes(int node, ReplicationStatus replicationStatus) {
    long bytes = 0;
    for (int logical = 0; logical < replicationStatus.logicalNodes(); logical++) {
      for (int copy = 0; copy < replicationStatus.copies(); copy++) {
        if (replicationStatus.holder(logical, copy) == node) {
          bytes += engine.takenBytes(logical);
        }
      }
    }
    return bytes;
  }
}
