package org.nelumbo.dm.pool;

import java.lang.ScopedValue.CallableOp;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.env.Environment;

/**
 * Progress of an attach that is under way in this JVM, for people: those who wait for it can see
 * nothing of the pool yet, others can. Whoever does a part of the attach reports to that of its
 * thread; where there is none, nothing happens. Thread-safe.
 */
public final class AttachProgress {
  private static final ScopedValue<AttachProgress> CURRENT = ScopedValue.newInstance();
  private static final long PERCENT = 100;
  private static final Set<AttachProgress> UNDER_WAY = ConcurrentHashMap.newKeySet();

  private final String place;
  private final Environment environment;
  private final long startNanos;
  private volatile State state = new State(Phase.CONNECTING, 0, 0);

  /** Part of an attach. */
  public enum Phase {
    /** Files are opened, or memory nodes are asked and connected to. */
    CONNECTING,
    /** The rows of files are made in memory, then the indexes; rows are counted. */
    LOADING,
    /** Copies are read and compared; bytes are counted. */
    COMPARING,
    /** Copies are made equal; bytes are counted. */
    EQUALISING,
    /** The pool is looked through after a crash; rows are counted. */
    RECOVERING
  }

  /**
   * State of an attach.
   *
   * @param done bytes or rows
   * @param total so many there are; 0 if that is not known
   */
  public record State(Phase phase, long done, long total) {
    /** For people: what is done, and how much of it. */
    @Override
    public String toString() {
      String text = phase.name().toLowerCase(Locale.ROOT);
      return total == 0 ? text : text + ", " + PERCENT * done / total + " % of " + total + " rows";
    }
  }

  private AttachProgress(Environment environment, String place) {
    this.environment = environment;
    this.place = place;
    this.startNanos = environment.nanoTime();
  }

  /** Runs an attach to a pool at that place. */
  public static <T, X extends Throwable> T track(
      Environment environment, String place, CallableOp<? extends T, X> attach) throws X {
    AttachProgress progress = new AttachProgress(environment, place);
    UNDER_WAY.add(progress);
    try {
      return ScopedValue.where(CURRENT, progress).call(attach);
    } finally {
      UNDER_WAY.remove(progress);
    }
  }

  /** The attach of this thread has come so far. */
  public static void report(Phase phase, long done) {
    if (CURRENT.isBound()) {
      CURRENT.get().report(phase, done, 0);
    }
  }

  /** The attach of this thread, for other threads that work for it; null if there is none. */
  public static AttachProgress current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** It has come so far, by whatever thread. */
  public void report(Phase phase, long done, long total) {
    state = new State(phase, done, total);
  }

  /** The attaches that are under way now. */
  public static List<AttachProgress> underWay() {
    return List.copyOf(UNDER_WAY);
  }

  /** File or memory nodes of the pool. */
  public String place() {
    return place;
  }

  public State state() {
    return state;
  }

  /** Nanoseconds since it began. */
  public long elapsedNanos() {
    return environment.nanoTime() - startNanos;
  }
}
