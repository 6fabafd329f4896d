package org.nelumbo.simulation.world;

/**
 * The virtual time of a world and its future events, in the order of (time, seeded tie-break). Not
 * thread-safe.
 */
final class Timeline {
  private final EventQueue events = new EventQueue();
  private final SimRandom random;
  private long now;
  private long steps;
  private boolean isFiring;

  /** Creates an empty timeline at time 0; {@code random} breaks ties. */
  Timeline(SimRandom random) {
    this.random = random;
  }

  long now() {
    return now;
  }

  /** Returns the number of events fired plus the number of thread steps. */
  long steps() {
    return steps;
  }

  /** Returns true if an event is firing, and not a thread running. */
  boolean isFiring() {
    return isFiring;
  }

  /** Counts a step of a thread, which takes no time. */
  void countStep() {
    steps++;
  }

  /** Schedules the event at this time, or now if the time has passed. */
  void schedule(SimEvent event, long time) {
    if (event.queued) {
      throw new IllegalStateException("the event is queued already time=" + event.time);
    }
    event.time = Math.max(time, now);
    event.tieBreak = random.nextLong();
    event.rearm();
    events.add(event);
  }

  /** Returns the next event, or null if there is none. */
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
