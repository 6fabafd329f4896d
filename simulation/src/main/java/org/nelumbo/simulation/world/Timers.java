package org.nelumbo.simulation.world;

/**
 * The times at which waiting tasks are to be woken, and whether anybody in front still waits for
 * one: if not, and for long, those who wait for each other do so for ever. Not thread-safe.
 */
final class Timers {
  /** How long all foreground tasks may be parked without a time before that is a deadlock. */
  private static final long STALL_NANOS = 1_000_000_000L;

  private final Timeline timeline;
  private int foreground;
  private long idleSince = -1;

  Timers(Timeline timeline) {
    this.timeline = timeline;
  }

  /** The task is to be woken at that time, or when its pause is over. */
  void set(SimTask task, long time) {
    if (task.wake.queued) {
      task.wake = new SimTask.Wake(task);
    }
    timeline.schedule(task.wake, Math.max(time, task.pausedUntil()));
    count(task, 1);
  }

  /** The task is not to be woken. */
  void clear(SimTask task) {
    if (task.wake.queued && !task.wake.isCancelled()) {
      task.wake.cancel();
      count(task, -1);
    }
  }

  /** The time of a task's waking has come. */
  void fired(SimTask task) {
    count(task, -1);
  }

  /** The event, which is no waking, lets the task go on at that time. */
  void setEvent(SimTask task, SimEvent event, long time) {
    count(task, 1);
    timeline.schedule(event, time);
  }

  private void count(SimTask task, int change) {
    if (task.isForeground()) {
      foreground += change;
      idleSince = -1;
    }
  }

  /** Whether a foreground task waits for a time. */
  boolean isForegroundWaiting() {
    return foreground > 0;
  }

  /** Called while no foreground task waits for a time: whether that has been so for long. */
  boolean isIdleForLong() {
    if (idleSince < 0) {
      idleSince = timeline.now();
    }
    return timeline.now() - idleSince > STALL_NANOS;
  }
}
