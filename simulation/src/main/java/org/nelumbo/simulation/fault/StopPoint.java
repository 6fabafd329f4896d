package org.nelumbo.simulation.fault;

import java.util.Locale;

/**
 * The point at which a coordinator stops: its n-th step of a kind, counted from 1. It takes no
 * further step and releases nothing.
 *
 * @param kind kind of the counted steps
 * @param count number of the step
 */
public record StopPoint(Kind kind, long count) {
  /** Kinds of steps of a coordinator. */
  public enum Kind {
    /**
     * Before the n-th verb is posted. A seeded number of the verbs in flight still lands, in order,
     * perhaps late.
     */
    POST,
    /** When the n-th verb has taken effect: the last one that does. */
    VERB,
    /**
     * Before the n-th wait for verbs. A seeded number of these verbs lands, in order, perhaps late.
     */
    FLUSH,
    /** When all verbs of the n-th flush have taken effect, before the coordinator resumes. */
    FLUSHED
  }

  public StopPoint {
    if (count < 1) {
      throw new IllegalArgumentException("steps are counted from 1 count=" + count);
    }
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + ":" + count;
  }
}
