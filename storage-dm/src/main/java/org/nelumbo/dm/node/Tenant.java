package org.nelumbo.dm.node;

import java.util.ArrayList;
import java.util.List;

/**
 * A compute node that a memory node serves, with the connections that act for it. Guarded by its
 * {@link TenantTable}, but for the time at which it was heard of.
 */
final class Tenant {
  /** Drawn by the compute node when it attaches or enters; never used again. */
  final long id;

  /** As lines of {@code key=value} may show it. */
  final String name;

  /** By which memory nodes that agree know it; 0 if it has none, since it has nothing decided. */
  final long incarnation;

  final List<TenantTable.Connection> connections = new ArrayList<>();
  private volatile long heardNanos;

  Tenant(long id, String name, long incarnation, long now) {
    this.id = id;
    this.name = name;
    this.incarnation = incarnation;
    this.heardNanos = now;
  }

  /** It was heard of. */
  void heard(long now) {
    heardNanos = now;
  }

  long heardNanos() {
    return heardNanos;
  }

  /** Nanoseconds since it was heard of. */
  long silentNanos(long now) {
    return Math.max(0, now - heardNanos);
  }

  /** Whether it has a connection, and was heard of within the lease. */
  boolean isLive(long now, long leaseNanos) {
    return !connections.isEmpty() && now - heardNanos < leaseNanos;
  }

  String describe(long now) {
    return "tenant="
        + Long.toHexString(id)
        + " connections="
        + connections.size()
        + " silent_ms="
        + silentNanos(now) / 1_000_000
        + " name="
        + name
        + "\n";
  }
}
