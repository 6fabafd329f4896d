package org.nelumbo.dm.index.hash;

import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.dm.pool.Channel;

/**
 * A thread that advances only when the test permits it, by one verb or piece of a verb per step, so
 * that the test chooses the interleaving. Long READs and WRITEs are split into pieces. A READ
 * begins with its last piece, since the words of one copy have no order.
 */
final class Actor implements AutoCloseable {
  /** The operations of an actor on its channel. */
  interface Body {
    void run(Channel channel);
  }

  private static final long PATIENCE = 100_000;

  private static final Executor THREADS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("actor").factory());

  private final Semaphore granted = new Semaphore(0);
  private final Semaphore returned = new Semaphore(0);
  private final Deque<Channel> idle;
  private final Channel inner;
  private volatile Thread thread;
  private long steps;
  private volatile boolean blocked;
  private volatile boolean finished;
  private volatile Throwable failure;

  /**
   * Creates an actor that waits for its first step.
   *
   * @param idle channels; the actor takes one and returns it at the end
   * @param readPiece length in bytes of a piece of a READ, a multiple of 8
   * @param writePiece length in bytes of a piece of a WRITE, a multiple of 8
   */
  Actor(Deque<Channel> idle, int readPiece, int writePiece, Body body) {
    this.idle = idle;
    this.inner = idle.pop();
    THREADS.execute(
        () -> {
          thread = Thread.currentThread();
          granted.acquireUninterruptibly();
          try {
            body.run(new Stepping(readPiece, writePiece));
          } catch (Throwable e) {
            failure = e;
          }
          finished = true;
          returned.release();
        });
  }

  /**
   * Runs up to {@code count} steps of the actor; fewer if it has to wait for another actor or
   * finishes.
   */
  void step(long count) {
    if (finished || count == 0) {
      check();
      return;
    }
    steps = count;
    blocked = false;
    granted.release();
    try {
      if (!returned.tryAcquire(60, TimeUnit.SECONDS)) {
        throw new AssertionError("the actor does not come back");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    check();
  }

  private void check() {
    if (failure != null) {
      throw new AssertionError("the actor failed", failure);
    }
  }

  /**
   * Runs the actor until it finishes or has to wait for another actor; returns true if it has
   * finished.
   */
  boolean run() {
    step(PATIENCE);
    return finished;
  }

  void finish() {
    for (int tries = 0; !finished; tries++) {
      run();
      if (tries > 100) {
        throw new AssertionError("the actor waits for ever");
      }
    }
  }

  boolean isFinished() {
    return finished;
  }

  boolean isBlocked() {
    return blocked;
  }

  private void point() {
    if (steps-- == 0) {
      pause();
      steps--;
    }
  }

  private void pause() {
    if (Thread.currentThread() != thread) {
      throw new AssertionError("only the actor itself may get here");
    }
    returned.release();
    granted.acquireUninterruptibly();
  }

  /** Returns an environment in which waiting ends the turn of this actor. */
  Environment environment() {
    return new SteppingEnvironment(
        () -> {
          blocked = true;
          pause();
        });
  }

  /** Runs the actor to its end and returns its channel. */
  @Override
  public void close() {
    finish();
    inner.release(0);
    idle.push(inner);
  }

  private final class Stepping extends InterceptedChannel {
    private final int readPiece;
    private final int writePiece;

    Stepping(int readPiece, int writePiece) {
      super(inner);
      this.readPiece = readPiece;
      this.writePiece = writePiece;
    }

    @Override
    protected void post(long address, Runnable verb) {
      point();
      verb.run();
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      for (int end = length; end > 0; end -= readPiece) {
        int start = Math.max(0, end - readPiece);
        super.read(address + start, stagingOffset + start, end - start);
      }
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      for (int start = 0; start < length; start += writePiece) {
        super.write(address + start, stagingOffset + start, Math.min(writePiece, length - start));
      }
    }

    @Override
    public void close() {}
  }
}
