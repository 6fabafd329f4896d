package org.nelumbo.simulation.world;

import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Descriptions of the state of a world for error messages: its time, and where each task waits. */
final class WorldReport {
  private static final int FRAMES_MAX = 12;

  private final long seed;
  private final Set<String> machinery;

  /**
   * Creates the reports of one world.
   *
   * @param seed seed of the world
   * @param machinery names of the classes through which every task waits; their frames are left out
   */
  WorldReport(long seed, Set<String> machinery) {
    this.seed = seed;
    this.machinery = machinery;
  }

  long seed() {
    return seed;
  }

  /**
   * Returns a description of the failure, followed by the time and every task that has started and
   * not ended.
   */
  String of(String what, Timeline timeline, List<SimTask> tasks) {
    StringBuilder out = new StringBuilder(what);
    out.append("; seed=").append(seed);
    out.append(" time=").append(timeline.now()).append(" ns steps=").append(timeline.steps());
    for (SimTask task : tasks) {
      if (!task.isFinished() && task.state() != SimTask.State.NEW) {
        describe(task, out);
      }
    }
    return out.toString();
  }

  private void describe(SimTask task, StringBuilder out) {
    out.append("\n  ").append(task.name()).append(' ').append(task.state());
    Object blocker = LockSupport.getBlocker(task.thread());
    if (blocker != null) {
      out.append(" on ").append(blocker.getClass().getName());
    }
    int shown = 0;
    for (StackTraceElement frame : task.thread().getStackTrace()) {
      if (shown < FRAMES_MAX && isOurs(frame)) {
        out.append("\n    at ").append(frame);
        shown++;
      }
    }
  }

  private boolean isOurs(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.startsWith("org.nelumbo") && !machinery.contains(type);
  }
}
