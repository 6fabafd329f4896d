package org.nelumbo.dm.fabric.shm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.env.Environment;

/**
 * For how long other processes have been silent: their heartbeats have not changed. What counts is
 * the time in which this process has looked; so a pause of the whole machine, or of this process,
 * makes nobody silent. One thread looks, any may ask.
 */
final class SilenceWatch {
  /** Two looks that are further apart count as no more than this. */
  private static final long LOOK_NANOS_MAX = 250_000_000L;

  private static final long KILL_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Environment environment;
  private final Map<Long, Heard> tenants = new ConcurrentHashMap<>();

  /** What was heard of one. */
  private static final class Heard {
    private long beats;
    private long lookedAt;
    private volatile long silentNanos;
    private long killNanos;
  }

  SilenceWatch(Environment environment) {
    this.environment = environment;
  }

  /** 0 for one that was never looked at. */
  long silentNanos(long tenant) {
    Heard heard = tenants.get(tenant);
    return heard == null ? 0 : heard.silentNanos;
  }

  /**
   * Looks at an entry.
   *
   * @return whether it lives, and was silent for longer than it said that it would be; once, and
   *     then now and then
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
