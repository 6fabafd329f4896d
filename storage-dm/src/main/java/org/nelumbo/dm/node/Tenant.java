package org.nelumbo.dm.node;

import java.util.ArrayList;
import java.util.List;

/**
 * A compute node that a memory node serves, with its connections. Guarded by its {@link
 * TenantTable}, except for the time of its last frame.
 */
final class Tenant {
  /** Drawn by the compute node when it attaches or enters; never reused. */
  final long id;

  /** The name, printable in lines of {@code key=value}. */
  final String name;

  /** Identifies the tenant in decisions of the memory nodes; 0 if it is the subject of none. */
  final long incarnation;

  final List<TenantTable.Connection> connections = new ArrayList<>();
  private volatile long heardNanos;

  Tenant(long id, String name, long incarnation, long now) {
    this.id = id;
    this.name = name;
    this.incarnation = incarnation;
    this.heardNanos = now;
  }

  /** Records the time of a frame. */
  void heard(long now) {
    heardNanos = now;
  }

  long heardNanos() {
    return heardNanos;
  }

  /** Returns the nanoseconds since its last frame. */
  long silentNanos(long now) {
    return Math.max(0, now - heardNanos);
  }

  /** Returns true if it has a connection, and has sent a frame within the lease. */
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
