package org.nelumbo.dm.fabric.local;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;

/**
 * Memory of a node whose pages are populated somewhat ahead of allocation. The first touch of a
 * page stops a thread until the system has found and cleared it. A background thread bears that
 * delay here, so that no transaction does. It populates as many bytes ahead as have been allocated,
 * at most {@link #AHEAD_BYTES}. The thread starts once {@link #START_BYTES} are allocated: a small
 * database, as tests have it, does without.
 *
 * <p>Only speed depends on it: pages that are not populated in time, or cannot be, are allocated at
 * the first touch as usual.
 */
final class PrefaultedMemory extends ForwardingNodeMemory {
  static final long AHEAD_BYTES = 16L << 20;
  static final long START_BYTES = 4L << 20;

  /** Bytes populated by one call; bounds how long {@link #release} may wait. */
  private static final long STEP_BYTES = 2L << 20;

  /** Longest sleep of the thread, which is unparked when there is work. */
  private static final long IDLE_NANOS = 10_000_000_000L;

  private final Environment environment;
  private final Thread thread;
  private final AtomicBoolean isStarted = new AtomicBoolean();
  private final AtomicLong wanted = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean released;
  private volatile long ready;

  private PrefaultedMemory(NodeMemory memory, Environment environment) {
    super(memory);
    this.environment = environment;
    this.thread = environment.thread("nelumbo-memory", this::run);
  }

  /** Wraps a node's memory, which a thread prefaults until it is released. */
  static PrefaultedMemory of(NodeMemory memory, Environment environment) {
    return new PrefaultedMemory(memory, environment);
  }

  @Override
  public boolean populate(long offset, long length) {
    boolean done = memory.populate(offset, length);
    long end = offset + length;
    wanted.accumulateAndGet(Math.min(end + Math.min(end, AHEAD_BYTES), bytes()), Math::max);
    if (end >= START_BYTES && isStarted.compareAndSet(false, true)) {
      thread.start();
    }
    LockSupport.unpark(thread);
    return done;
  }

  /** Returns the offset up to which the thread has populated the memory, or has tried to. */
  long ready() {
    return ready;
  }

  /** Returns the prefaulting thread, which ends soon after the memory is released. */
  Thread thread() {
    return thread;
  }

  private void run() {
    while (!released) {
      if (ready < wanted.get()) {
        step();
      } else {
        environment.parkNanos(IDLE_NANOS);
      }
    }
  }

  private void step() {
    lock.lock();
    try {
      if (!released) {
        long from = ready;
        long bytes = Math.min(STEP_BYTES, wanted.get() - from);
        MappedPages.populate(address() + from, bytes);
        ready = from + bytes;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void release() {
    lock.lock();
    try {
      released = true;
      memory.release();
    } finally {
      lock.unlock();
    }
    LockSupport.unpark(thread);
  }
}
