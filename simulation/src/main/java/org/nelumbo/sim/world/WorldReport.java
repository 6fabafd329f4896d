package org.nelumbo.sim.world;

import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Who waits where, in words. */
final class WorldReport {
  private static final int FRAMES_MAX = 12;

  /** Through which everybody waits. */
  private static final Set<String> MACHINERY =
      Set.of(Scheduler.class.getName(), SimWorld.class.getName(), SimEnvironment.class.getName());

  private WorldReport() {}

  static String of(SimWorld world, String what) {
    StringBuilder out = new StringBuilder(what);
    out.append("; seed=").append(world.seed());
    out.append(" time=").append(world.now()).append(" ns steps=").append(world.steps());
    for (SimTask task : world.tasks()) {
      if (!task.isFinished() && task.state() != SimTask.State.NEW) {
        describe(task, out);
      }
    }
    return out.toString();
  }

  private static void describe(SimTask task, StringBuilder out) {
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

  private static boolean isOurs(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.startsWith("org.nelumbo") && !MACHINERY.contains(type);
  }
}
