package org.nelumbo.dm.env;

import java.util.function.Supplier;

/**
 * Provides a large stack for work whose recursion is as deep as its input, such as the planning of
 * a statement of thousands of terms. The work runs on the caller's thread, and again on a thread
 * with a large stack if that stack overflowed; it must therefore be repeatable. The caller waits
 * meanwhile, and an interruption of it is passed on.
 */
public final class DeepStack {
  /** Only the used part costs memory. */
  private static final long STACK_BYTES = 512L << 20;

  private DeepStack() {}

  /** Runs the work, on a large stack if it needs one. */
  public static <T> T call(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException | StackOverflowError e) {
      if (!isOverflow(e) || isDeep()) {
        throw e;
      }
    }
    return callDeep(work);
  }

  /** Runs the work on a large stack at once. */
  public static <T> T callDeep(Supplier<T> work) {
    if (isDeep()) {
      return work.get();
    }
    Worker<T> worker = new Worker<>(work);
    worker.start();
    boolean interrupted = false;
    while (worker.isAlive()) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        interrupted = true;
        worker.interrupt();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return worker.result();
  }

  private static boolean isDeep() {
    return Thread.currentThread() instanceof Worker;
  }

  private static boolean isOverflow(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof StackOverflowError) {
        return true;
      }
    }
    return false;
  }

  private static final class Worker<T> extends Thread {
    private final Supplier<T> work;
    private T result;
    private Throwable thrown;

    Worker(Supplier<T> work) {
      super(null, null, "nelumbo-deep-stack", STACK_BYTES);
      this.work = work;
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        result = work.get();
      } catch (RuntimeException | Error e) {
        thrown = e;
      }
    }

    T result() {
      return switch (thrown) {
        case null -> result;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(thrown);
      };
    }
  }
}
