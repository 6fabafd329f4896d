package org.nelumbo.metrics;

import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.replication.view.PoolMembership;

/**
 * Health of a memory node in this process. A restart erases a node without {@code --data}, so the
 * node is healthy as long as it serves requests.
 */
public final class MemoryNodeHealth implements HealthCheck {
  private final MemoryNode node;

  public MemoryNodeHealth(MemoryNode node) {
    this.node = node;
  }

  @Override
  public String illness() {
    return node.isServing() ? "" : "the memory node is closed";
  }

  @Override
  public String unreadiness() {
    if (!node.isServing()) {
      return illness();
    }
    if (node.isFailingToAccept()) {
      return "connections cannot be accepted: descriptors, threads or heap have run out";
    }
    String loading = node.loading();
    if (loading != null) {
      return "it is loading its pool from its disk: " + loading;
    }
    if (node.logFailure() != null) {
      return "its log can no longer be written, restart it: " + node.logFailure().getMessage();
    }
    PoolMembership part = node.part();
    return part.role() == PoolMembership.Role.FILLING
        ? "its copy is being filled: " + part.filledBytes() + " of " + part.fillBytes() + " bytes"
        : "";
  }
}
