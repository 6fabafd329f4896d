package org.nelumbo.simulation.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * The events of one world in order: a rolling hash of all of them, and on request a line of text
 * for each. Two runs of one seed give the same hash, and byte-identical text. Not thread-safe: used
 * on the world's carrier.
 */
public final class Trace {
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private final Appendable out;
  private final PoolContentMap map = new PoolContentMap();
  private long hash;

  private Trace(Appendable out) {
    this.out = out;
  }

  /** Creates a trace that only keeps the hash. */
  public static Trace hashing() {
    return new Trace(null);
  }

  /** Creates a trace that writes text, too. */
  public static Trace to(Appendable out) {
    return new Trace(out);
  }

  /** Returns true if the trace writes text. */
  public boolean isText() {
    return out != null;
  }

  /** Returns the map of the pool's content, for text. */
  public PoolContentMap map() {
    return map;
  }

  /** Returns the hash of all events so far. */
  public long hash() {
    return hash;
  }

  /** Adds an event to the hash; its text, if any, is written by {@link #line}. */
  public void event(long time, int task, int kind, long address, long value) {
    long h = hash;
    h = (h ^ time) * PRIME;
    h = (h ^ (h >>> 29) ^ ((long) task << 32 | kind)) * PRIME;
    h = (h ^ (h >>> 32) ^ address) * PRIME;
    h = (h ^ (h >>> 31) ^ value) * PRIME;
    hash = h ^ (h >>> 28);
  }

  /** Writes a line of text: time, task, event. */
  public void line(long time, String who, String what) {
    try {
      out.append(stamp(time)).append("  ").append(pad(who)).append("  ").append(what).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("the trace cannot be written", e);
    }
  }

  /** Adds a fault, or a note of a workload, to both hash and text. */
  public void note(long time, int task, String who, String what) {
    event(time, task, -1, what.hashCode(), 0);
    if (out != null) {
      line(time, who, what);
    }
  }

  public void fault(long time, int task, String who, String what) {
    note(time, task, who, "FAULT " + what);
  }

  private static String stamp(long nanos) {
    return String.format(Locale.ROOT, "%10d.%03d", nanos / 1000, nanos % 1000);
  }

  private static String pad(String who) {
    return String.format(Locale.ROOT, "%-18s", who);
  }
}
