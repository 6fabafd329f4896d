package org.nelumbo.dm.env;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The production environment: the JVM's clocks, threads and random numbers. */
public final class SystemEnvironment implements Environment {
  private static final int SPINS = 64;
  private static final int SPINS_OF_LONG_WAITS = 8;
  private static final int YIELDS = 16;
  private static final long SHORTEST_PARK_NANOS = 5_000;
  private static final long LONGEST_PARK_NANOS = 1_000_000;
  private final Map<String, AtomicLong> failures = new ConcurrentHashMap<>();

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long epochMicros() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1000;
  }

  @Override
  public long randomLong() {
    return ThreadLocalRandom.current().nextLong();
  }

  @Override
  public void backoff(int attempt) {
    pause(attempt, SPINS);
  }

  @Override
  public void backoffLong(int attempt) {
    pause(attempt, SPINS_OF_LONG_WAITS);
  }

  private static void pause(int attempt, int spins) {
    if (attempt < spins) {
      Thread.onSpinWait();
    } else if (attempt < spins + YIELDS) {
      Thread.yield();
    } else {
      int doublings = Math.min(attempt - spins - YIELDS, 8);
      long limit = Math.min(SHORTEST_PARK_NANOS << doublings, LONGEST_PARK_NANOS);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(limit / 2, limit));
    }
  }

  @Override
  public void stepAside() {
    Thread.yield();
  }

  @Override
  public void parkNanos(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  @Override
  public Thread thread(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).unstarted(body);
  }

  @Override
  public AtomicLong failures(String thread) {
    return failures.computeIfAbsent(thread, name -> new AtomicLong());
  }

  @Override
  public Map<String, Long> failures() {
    Map<String, Long> copy = new TreeMap<>();
    failures.forEach((thread, count) -> copy.put(thread, count.get()));
    return copy;
  }
}
