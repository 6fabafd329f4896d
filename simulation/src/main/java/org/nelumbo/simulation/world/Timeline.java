package org.nelumbo.simulation.world;

/**
 * The virtual time of a world and what is going to happen in it, in the order of (time, seeded
 * tie-break). Not thread-safe.
 */
final class Timeline {
  private final EventQueue events = new EventQueue();
  private final SimRandom random;
  private long now;
  private long steps;
  private boolean isFiring;

  /** Time 0, with nothing to come; ties are broken by {@code random}. */
  Timeline(SimRandom random) {
    this.random = random;
  }

  long now() {
    return now;
  }

  /** How many events have happened, and how many steps of threads. */
  long steps() {
    return steps;
  }

  /** Whether the code that runs is that of an event, and of no thread. */
  boolean isFiring() {
    return isFiring;
  }

  /** A thread takes a step, which takes no time. */
  void countStep() {
    steps++;
  }

  /** The event happens at that time, or now if that is past. */
  void schedule(SimEvent event, long time) {
    if (event.queued) {
      throw new IllegalStateException("the event is queued already time=" + event.time);
    }
    event.time = Math.max(time, now);
    event.tieBreak = random.nextLong();
    event.rearm();
    events.add(event);
  }

  /** The event that happens next, null if there is none. */
  SimEvent next() {
    return events.peek();
  }

  /** Fires the next event, unless it was cancelled, and returns it. */
  SimEvent advance() {
    SimEvent event = events.poll();
    now = event.time;
    steps++;
    if (!event.isCancelled()) {
      isFiring = true;
      try {
        event.fire();
      } finally {
        isFiring = false;
      }
    }
    return event;
  }
}
