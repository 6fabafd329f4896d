package org.nelumbo.dm.pool;

import java.lang.ScopedValue.CallableOp;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.env.Environment;

/**
 * The progress of an attach that is under way in this JVM, for display. The thread that attaches
 * cannot query the pool yet; other threads can read the progress. Each part of an attach reports to
 * the progress that is bound to its thread; without a bound progress, a report has no effect.
 * Thread-safe.
 */
public final class AttachProgress {
  private static final ScopedValue<AttachProgress> CURRENT = ScopedValue.newInstance();
  private static final long PERCENT = 100;
  private static final Set<AttachProgress> UNDER_WAY = ConcurrentHashMap.newKeySet();

  private final String location;
  private final Environment environment;
  private final long startNanos;
  private volatile State state = new State(Phase.CONNECTING, 0, 0);

  /** Phase of an attach. */
  public enum Phase {
    /** Opens files, or connects to the memory nodes. */
    CONNECTING,
    /** Builds the rows of database files in memory, then the indexes; counts rows. */
    LOADING,
    /** Reads and compares copies; counts bytes. */
    COMPARING,
    /** Makes copies equal; counts bytes. */
    EQUALISING,
    /** Scans the pool after a crash; counts rows. */
    RECOVERING
  }

  /**
   * State of an attach.
   *
   * @param done number of bytes or rows that are done
   * @param total number of bytes or rows in all; 0 if unknown
   */
  public record State(Phase phase, long done, long total) {
    /** Returns the phase and, if the total is known, the share that is done, for display. */
    @Override
    public String toString() {
      String text = phase.name().toLowerCase(Locale.ROOT);
      return total == 0 ? text : text + ", " + PERCENT * done / total + " % of " + total + " rows";
    }
  }

  private AttachProgress(Environment environment, String location) {
    this.environment = environment;
    this.location = location;
    this.startNanos = environment.nanoTime();
  }

  /**
   * Runs an attach and tracks its progress.
   *
   * @param location file or memory nodes of the pool
   */
  public static <T, X extends Throwable> T track(
      Environment environment, String location, CallableOp<? extends T, X> attach) throws X {
    AttachProgress progress = new AttachProgress(environment, location);
    UNDER_WAY.add(progress);
    try {
      return ScopedValue.where(CURRENT, progress).call(attach);
    } finally {
      UNDER_WAY.remove(progress);
    }
  }

  /** Reports progress of the attach of this thread, whose total is unknown. */
  public static void report(Phase phase, long done) {
    if (CURRENT.isBound()) {
      CURRENT.get().report(phase, done, 0);
    }
  }

  /**
   * Returns the attach of this thread, for other threads that work for it; null if there is none.
   */
  public static AttachProgress current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Reports progress, from any thread. */
  public void report(Phase phase, long done, long total) {
    state = new State(phase, done, total);
  }

  /** Returns the attaches that are under way. */
  public static List<AttachProgress> underWay() {
    return List.copyOf(UNDER_WAY);
  }

  /** Returns the file or the memory nodes of the pool. */
  public String location() {
    return location;
  }

  public State state() {
    return state;
  }

  /** Returns the nanoseconds since the attach began. */
  public long elapsedNanos() {
    return environment.nanoTime() - startNanos;
  }
}
