package org.nelumbo.dm.fabric.local;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;

/**
 * Memory of a node whose pages are touched ahead of use: a little more is there than has been
 * handed out. The first touch of a page stops a thread until the system has found and cleared it;
 * here a thread of its own waits for that, so that no transaction does. As much is made ready as
 * has been handed out, at most {@link #AHEAD_BYTES}.
 *
 * <p>Only speed depends on it: pages that are not ready in time, or cannot be had, are had when
 * they are touched, as without it.
 */
final class PrefaultedMemory extends ForwardingNodeMemory {
  static final long AHEAD_BYTES = 16L << 20;

  /** Bytes asked for at once; this bounds how long a {@link #release} may have to wait. */
  private static final long STEP_BYTES = 2L << 20;

  /** The prefaulting thread, which is woken when there is work. */
  private static final long IDLE_NANOS = 10_000_000_000L;

  private final Environment environment;
  private final Thread thread;
  private final AtomicLong wanted = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean released;
  private volatile long ready;

  private PrefaultedMemory(NodeMemory memory, Environment environment) {
    super(memory);
    this.environment = environment;
    this.thread = environment.thread("nelumbo-memory", this::run);
  }

  /** Wraps a node's memory and starts a thread that prefaults it until it is released. */
  static PrefaultedMemory of(NodeMemory memory, Environment environment) {
    PrefaultedMemory ahead = new PrefaultedMemory(memory, environment);
    ahead.thread.start();
    return ahead;
  }

  @Override
  public boolean populate(long offset, long length) {
    boolean done = memory.populate(offset, length);
    long end = offset + length;
    wanted.accumulateAndGet(Math.min(end + Math.min(end, AHEAD_BYTES), bytes()), Math::max);
    LockSupport.unpark(thread);
    return done;
  }

  /** Offset up to which memory is ready, or could not be had. */
  long ready() {
    return ready;
  }

  /** Ends soon after the memory has been released. */
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
