package org.nelumbo.simulation.fault;

import java.util.Locale;

/**
 * The point at which a coordinator stops: at its n-th step of a kind, counted from 1. It takes no
 * further step and gives nothing back.
 *
 * @param kind what is counted
 * @param count which one
 */
public record StopPoint(Kind kind, long count) {
  /** Steps of a coordinator. */
  public enum Kind {
    /**
     * Before the n-th verb is posted. Of the verbs on their way a seeded number still lands, in
     * order, perhaps late.
     */
    POST,
    /** When the n-th verb has taken effect: the last one that does. */
    VERB,
    /** Before the n-th wait for verbs. Of those, a seeded number lands, in order, perhaps late. */
    FLUSH,
    /**
     * When all verbs of the n-th flush have taken effect, and the coordinator has not been told.
     */
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
