package org.nelumbo.simulation.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * The events of one world in the order they happened: a rolling hash of all of them, and a line of
 * text each if that is wanted. Two runs of one seed give the same hash, and the same text to the
 * byte. Not thread-safe: of the world's carrier.
 */
public final class Trace {
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private final Appendable out;
  private final PoolContentMap map = new PoolContentMap();
  private long hash;

  private Trace(Appendable out) {
    this.out = out;
  }

  /** Keeps the hash only. */
  public static Trace hashing() {
    return new Trace(null);
  }

  /** Writes text, too. */
  public static Trace to(Appendable out) {
    return new Trace(out);
  }

  /** Whether somebody reads lines. */
  public boolean isText() {
    return out != null;
  }

  /** What the trace knows of the pool's content, for text. */
  public PoolContentMap map() {
    return map;
  }

  /** Stands for everything that has happened. */
  public long hash() {
    return hash;
  }

  /** Takes an event into the hash; its text, if wanted, goes to {@link #line}. */
  public void event(long time, int task, int kind, long address, long value) {
    long h = hash;
    h = (h ^ time) * PRIME;
    h = (h ^ (h >>> 29) ^ ((long) task << 32 | kind)) * PRIME;
    h = (h ^ (h >>> 32) ^ address) * PRIME;
    h = (h ^ (h >>> 31) ^ value) * PRIME;
    hash = h ^ (h >>> 28);
  }

  /** A line of text: when, who, what. */
  public void line(long time, String who, String what) {
    try {
      out.append(stamp(time)).append("  ").append(pad(who)).append("  ").append(what).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("the trace cannot be written", e);
    }
  }

  /** A fault, or what a workload says of itself: goes into both. */
  public void note(long time, int task, String who, String what) {
    event(time, task, -1, what.hashCode(), 0);
    if (out != null) {
      line(time, who, what);
    }
  }

  public void fault(long time, int task, String who, String what) {
    note(time, task, who, "FAULT " + what);
  }

  /** Microseconds with three decimals. */
  private static String stamp(long nanos) {
    return String.format(Locale.ROOT, "%10d.%03d", nanos / 1000, nanos % 1000);
  }

  private static String pad(String who) {
    return String.format(Locale.ROOT, "%-18s", who);
  }
}
