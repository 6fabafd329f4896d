package org.nelumbo.simulation.world;

/**
 * The wake-up times of waiting tasks, and the number of foreground tasks with one. If no foreground
 * task has had one for long, the parked tasks wait for each other for ever. Not thread-safe.
 */
final class Timers {
  /**
   * Time for which all foreground tasks may be parked without a wake-up time before that is a
   * deadlock.
   */
  private static final long STALL_NANOS = 1_000_000_000L;

  private final Timeline timeline;
  private int foreground;
  private long idleSince = -1;

  Timers(Timeline timeline) {
    this.timeline = timeline;
  }

  /** Schedules the wake-up of the task at this time, or at the end of its pause. */
  void set(SimTask task, long time) {
    if (task.wake.queued) {
      task.wake = new SimTask.Wake(task);
    }
    timeline.schedule(task.wake, Math.max(time, task.pausedUntil()));
    count(task, 1);
  }

  /** Cancels the wake-up of the task. */
  void clear(SimTask task) {
    if (task.wake.queued && !task.wake.isCancelled()) {
      task.wake.cancel();
      count(task, -1);
    }
  }

  /** Counts the wake-up of a task as done. */
  void fired(SimTask task) {
    count(task, -1);
  }

  /** Schedules an event that is not a wake-up, and that lets the task continue at this time. */
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

  /** Returns true if a foreground task waits for a time. */
  boolean isForegroundWaiting() {
    return foreground > 0;
  }

  /**
   * Returns true if no foreground task has waited for a time for long. Called only while none does.
   */
  boolean isIdleForLong() {
    if (idleSince < 0) {
      idleSince = timeline.now();
    }
    return timeline.now() - idleSince > STALL_NANOS;
  }
}
