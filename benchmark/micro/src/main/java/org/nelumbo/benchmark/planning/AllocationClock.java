package org.nelumbo.benchmark.planning;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;

/**
 * An environment whose clock counts the bytes that one thread allocates, while that thread plans
 * statements. So the stages of planning, which are measured by this clock, are measured in bytes.
 */
final class AllocationClock implements Environment {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Environment system = new SystemEnvironment();
  private volatile Thread planning;

  /** Returns the bytes that the current thread has allocated. */
  static long allocated() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Runs an action whose clock counts bytes. */
  void count(Runnable action) {
    planning = Thread.currentThread();
    try {
      action.run();
    } finally {
      planning = null;
    }
  }

  @Override
  public long nanoTime() {
    return Thread.currentThread().equals(planning) ? allocated() : system.nanoTime();
  }

  @Override
  public long epochMicros() {
    return system.epochMicros();
  }

  @Override
  public long randomLong() {
    return system.randomLong();
  }

  @Override
  public void backoff(int attempt) {
    system.backoff(attempt);
  }

  @Override
  public void stepAside() {
    system.stepAside();
  }

  @Override
  public void parkNanos(long nanos) {
    system.parkNanos(nanos);
  }

  @Override
  public Thread thread(String name, Runnable body) {
    return system.thread(name, body);
  }

  @Override
  public AtomicLong failures(String thread) {
    return system.failures(thread);
  }

  @Override
  public Map<String, Long> failures() {
    return system.failures();
  }
}
