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
 * A thread that moves only when the test says so, one verb (or piece of a verb) a step:
 * interleavings are chosen, not hoped for. Long READs and WRITEs are cut into pieces, READs
 * beginning with the last, since the words of one copy have no order.
 */
final class Actor implements AutoCloseable {
  /** What an actor does with its channel. */
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
   * An actor that waits for its first step.
   *
   * @param idle channels to take one from, and to give it back to
   * @param readPiece bytes a piece of a READ has, a multiple of 8
   * @param writePiece bytes a piece of a WRITE has, a multiple of 8
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
   * Lets the actor do up to {@code count} steps, fewer if it has to wait for another or is done.
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

  /** Lets the actor go on until it is done or has to wait for another; whether it is done. */
  boolean run() {
    step(PATIENCE);
    return finished;
  }

  /** Lets the actor go on until it is done. */
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

  /** An environment in which this actor's waiting ends its turn. */
  Environment environment() {
    return new SteppingEnvironment(
        () -> {
          blocked = true;
          pause();
        });
  }

  /** Lets the actor finish. */
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
