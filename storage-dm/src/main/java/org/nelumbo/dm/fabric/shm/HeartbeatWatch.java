package org.nelumbo.dm.fabric.shm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.env.Environment;

/**
 * Measures how long the heartbeats of other processes have been unchanged. Only the time in which
 * this process was checking counts, so a pause of the whole machine, or of this process, makes no
 * other process appear failed. One thread checks; any thread may read.
 */
final class HeartbeatWatch {
  /** Maximum time counted between two checks. */
  private static final long LOOK_NANOS_MAX = 250_000_000L;

  private static final long KILL_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Environment environment;
  private final Map<Long, Heard> tenants = new ConcurrentHashMap<>();

  private static final class Heard {
    private long beats;
    private long lookedAt;
    private volatile long silentNanos;
    private long killNanos;
  }

  HeartbeatWatch(Environment environment) {
    this.environment = environment;
  }

  /** Returns the time without heartbeats; 0 for a process that was never checked. */
  long silentNanos(long tenant) {
    Heard heard = tenants.get(tenant);
    return heard == null ? 0 : heard.silentNanos;
  }

  /**
   * Checks a slot.
   *
   * @return true if the process is alive, but its time without heartbeats exceeds its lease;
   *     returned once at first, and again at intervals
   */
  boolean isToBeKilled(TenantFile file, int entry) {
    if (tenants.size() > TenantFileLayout.ENTRIES) {
      tenants.clear();
    }
    long lease = file.get(entry, TenantFileLayout.LEASE);
    Heard heard = tenants.computeIfAbsent(file.id(entry), _ -> new Heard());
    long now = environment.nanoTime();
    long beats = file.get(entry, TenantFileLayout.HEARTBEAT);
    if (heard.lookedAt == 0 || beats != heard.beats) {
      heard.beats = beats;
      heard.silentNanos = 0;
      heard.killNanos = lease;
    } else {
      long silent = heard.silentNanos + Math.min(now - heard.lookedAt, LOOK_NANOS_MAX);
      heard.silentNanos = silent;
    }
    heard.lookedAt = now;
    boolean isTime = heard.silentNanos > heard.killNanos && file.isLockedByOthers(entry);
    if (isTime) {
      heard.killNanos = heard.silentNanos + KILL_AGAIN_NANOS;
    }
    return isTime;
  }
}
