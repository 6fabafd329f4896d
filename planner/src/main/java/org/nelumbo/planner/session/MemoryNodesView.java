package org.nelumbo.planner.session;

import static org.nelumbo.planner.session.ViewColumns.add;
import static org.nelumbo.planner.session.ViewColumns.number;
import static org.nelumbo.planner.session.ViewColumns.optionalNumber;
import static org.nelumbo.planner.session.ViewColumns.optionalText;
import static org.nelumbo.planner.session.ViewColumns.text;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.Replication;
import org.nelumbo.planner.catalog.Catalog;

/** SYS.MEMORY_NODES: the memory nodes of the pool, and what part each has. */
final class MemoryNodesView {
  private final LocalDatabase database;

  MemoryNodesView(LocalDatabase database) {
    this.database = database;
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
        optionalNumber("FILLED_BYTES"),
        optionalNumber("FILL_BYTES"),
        optionalText("WHY"),
        optionalNumber("VIEW_NUMBER"));
  }

  private List<Object[]> rows() {
    Fabric fabric = database.engine().fabric();
    Replication replication = fabric.replication();
    List<Object[]> rows = new ArrayList<>();
    if (replication.nodes().isEmpty()) {
      for (int node = 0; node < fabric.nodeCount(); node++) {
        String state = Replication.State.LIVE.name();
        long bytes = fabric.nodeBytes(node);
        String name = fabric.nodeName(node);
        String address = name.isEmpty() ? null : name;
        rows.add(new Object[] {(long) node, address, state, bytes, null, null, null, null});
      }
    }
    for (Replication.Node node : replication.nodes()) {
      rows.add(row(rows.size(), node, replication.view()));
    }
    return rows;
  }

  private static Object[] row(long number, Replication.Node node, long view) {
    boolean isFilling = node.state() == Replication.State.FILLING;
    return new Object[] {
      number,
      node.address(),
      node.state().name(),
      node.state() == Replication.State.OUT ? null : node.bytes(),
      isFilling ? node.filledBytes() : null,
      isFilling ? node.fillBytes() : null,
      node.why().isEmpty() ? null : node.why(),
      view
    };
  }
}
