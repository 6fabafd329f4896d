package org.nelumbo.simulation.world;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * The seeded scheduler of one world: it runs the simulated threads one at a time on the thread that
 * drives the world (its carrier).
 *
 * <p>Runnable tasks run first, in seeded order. If no task is runnable, the next event in the order
 * of (virtual time, seeded tie-break) fires. Code of a task takes no virtual time except while it
 * waits. A waiting task fires the events of the fabric itself, and continues without a thread
 * switch if no other task is due before it.
 *
 * <p>Everything here runs on the carrier, inside or outside of a simulated thread. If any other
 * thread resumes a simulated thread (a JDK helper thread, after a timed park that bypasses the
 * environment), the run ends, since it could not be replayed. There are two exceptions. A simulated
 * thread may wait for a monitor that is held for a moment by a thread outside of the world, such as
 * a cleaner of the JDK. It may also join such a thread. The carrier then waits for it, and the run
 * continues as if there had been no wait.
 */
final class Scheduler implements Executor {
  private static final long YIELD_NANOS = 50;
  private static final long DEFAULT_TIME_LIMIT = 3_600_000_000_000L;
  private static final long DEFAULT_STEP_LIMIT = 2_000_000_000L;

  private final WorldReport report;
  private final SimRandom random;
  private final VirtualThreads threads = new VirtualThreads();
  private final Timeline timeline;
  private final Timers timers;
  private final List<SimTask> tasks = new ArrayList<>();
  private final IdentityHashMap<Runnable, SimTask> byContinuation = new IdentityHashMap<>();
  private final List<SimTask> ready = new ArrayList<>();
  private final List<String> heldLocks = new ArrayList<>();
  private long timeLimit = DEFAULT_TIME_LIMIT;
  private long stepLimit = DEFAULT_STEP_LIMIT;
  private Thread carrier = Thread.currentThread();
  private SimTask running;
  private boolean closing;
  private volatile SimulationFailure failure;

  private final ForeignMonitors monitors = new ForeignMonitors();

  /**
   * Creates a scheduler without tasks, at time 0.
   *
   * @param report describes the world in failures
   * @param random draws the order of tasks and breaks ties of events
   */
  Scheduler(WorldReport report, SimRandom random) {
    this.report = report;
    this.random = random;
    this.timeline = new Timeline(random);
    this.timers = new Timers(timeline);
  }

  /** Sets limits: a run that passes this virtual time, or this number of steps, fails. */
  void setLimits(long virtualNanos, long stepsMax) {
    timeLimit = virtualNanos;
    stepLimit = stepsMax;
  }

  Timeline timeline() {
    return timeline;
  }

  List<SimTask> tasks() {
    return tasks;
  }

  /** Returns the running task, or null outside of simulated threads. */
  SimTask running() {
    return running;
  }

  SimTask newTask(SimNode node, String name, boolean foreground, SimTaskBody body) {
    SimTask task = new SimTask(tasks.size(), node.name() + "/" + name, node, foreground);
    task.thread = threads.unstarted(this, task.name(), () -> runBody(task, body));
    task.continuation = threads.continuation(task.thread);
    tasks.add(task);
    byContinuation.put(task.continuation, task);
    return task;
  }

  @SuppressWarnings("CatchAndPrintStackTrace")
  private void runBody(SimTask task, SimTaskBody body) {
    try {
      body.run();
    } catch (WorldClosed end) {
      // the task ends with its world
    } catch (Throwable t) {
      if (!closing) {
        fail(SimulationFailure.Kind.TASK_FAILED, task.name() + " failed: " + t, t);
      }
    } finally {
      task.state = SimTask.State.FINISHED;
    }
  }

  private void fail(SimulationFailure.Kind kind, String what, Throwable cause) {
    if (failure == null) {
      failure = new SimulationFailure(kind, report.of(what, timeline, tasks), cause);
    }
  }

  /** Accepts the next step of a simulated thread, which has become runnable. */
  @Override
  public void execute(Runnable continuation) {
    Thread caller = threads.currentCarrier();
    if (caller != carrier) {
      if (ForeignMonitors.isUnblocker(caller)) {
        monitors.unblocked(continuation);
      } else {
        failure = SimulationFailure.ofForeignThread(report.seed());
      }
      return;
    }
    SimTask task = byContinuation.get(continuation);
    if (threads.isUnblocked(task.thread)) {
      monitors.unblocked(continuation);
      return;
    }
    if (task.state == SimTask.State.STOPPED && !closing) {
      task.isDue = true;
      return;
    }
    ready.add(task);
  }

  /** Waits for about this many nanoseconds; an unpark of the thread ends the wait early. */
  void park(long nanos) {
    await(timeline.now() + nanos, SimTask.State.WAITING, true);
  }

  /** Waits until this virtual time. */
  void awaitTime(long time) {
    await(time, SimTask.State.FLUSHING, false);
  }

  private void await(long time, SimTask.State state, boolean early) {
    SimTask task = running;
    if (task == null) {
      drive(time);
      return;
    }
    checkAlive(task);
    task.awake = false;
    task.state = state;
    timers.set(task, time);
    fireWhatNobodyWaitsFor(task);
    while (!task.awake) {
      LockSupport.park();
      if (closing) {
        throw new WorldClosed();
      }
      if (early && !task.awake && task.state != SimTask.State.STOPPED) {
        timers.clear(task);
        task.awake = true;
      }
    }
    checkAlive(task);
    task.state = SimTask.State.RUNNABLE;
  }

  /** Blocks the task for ever if it was stopped, and unwinds it if the world has been closed. */
  void checkAlive(SimTask task) {
    if (closing) {
      throw new WorldClosed();
    }
    while (task.state == SimTask.State.STOPPED) {
      LockSupport.park();
      if (closing) {
        throw new WorldClosed();
      }
    }
  }

  /**
   * Fires the events up to the wake-up of the running task, unless another task is due before it.
   */
  private void fireWhatNobodyWaitsFor(SimTask task) {
    if (!task.isForeground() && !timers.isForegroundWaiting()) {
      return;
    }
    while (ready.isEmpty() && failure == null && !isPastLimit()) {
      SimEvent next = timeline.next();
      if (next instanceof SimTask.Wake wake) {
        if (wake == task.wake && !wake.isCancelled() && task.pausedUntil() <= wake.time) {
          timeline.advance();
          timers.fired(task);
          task.awake = true;
        }
        return;
      }
      timeline.advance();
    }
  }

  /** Stops the task: it takes no further step and releases nothing. */
  void stop(SimTask task) {
    if (task.isAlive()) {
      timers.clear(task);
      task.state = SimTask.State.STOPPED;
      task.isDue |= ready.remove(task);
    }
  }

  private void drive(long time) {
    carrier = Thread.currentThread();
    SimEvent end =
        new SimEvent() {
          @Override
          protected void fire() {
            cancel();
          }
        };
    timeline.schedule(end, time);
    while (end.queued) {
      runNext();
    }
  }

  /** Runs until every foreground task has finished or was stopped. */
  void run() {
    carrier = Thread.currentThread();
    while (hasForegroundWork()) {
      runNext();
    }
    throwFailure();
  }

  /**
   * Runs until this time, or until there is no foreground work. The remaining tasks may continue
   * later.
   */
  void runUntil(long time) {
    carrier = Thread.currentThread();
    while (hasForegroundWork() && (!ready.isEmpty() || isDue(time))) {
      runNext();
    }
    throwFailure();
  }

  private boolean isDue(long time) {
    SimEvent next = timeline.next();
    return next == null || next.time <= time;
  }

  /** Runs until the task has finished or was stopped. */
  void runUntil(SimTask task) {
    carrier = Thread.currentThread();
    while (failure == null && task.isAlive()) {
      runNext();
    }
    throwFailure();
  }

  private void throwFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  private boolean hasForegroundWork() {
    if (failure != null) {
      return false;
    }
    if (timers.isForegroundWaiting() || !ready.isEmpty()) {
      return true;
    }
    for (int i = tasks.size() - 1; i >= 0; i--) {
      SimTask task = tasks.get(i);
      if (task.isForeground() && task.isAlive() && task.state != SimTask.State.NEW) {
        return true;
      }
    }
    return false;
  }

  private void runNext() {
    throwFailure();
    if (!ready.isEmpty()) {
      runTask(takeReady());
      return;
    }
    if (timeline.next() == null) {
      fail(SimulationFailure.Kind.STALLED, "no task can continue", null);
      return;
    }
    checkLimits();
    SimEvent event = timeline.advance();
    if (event instanceof SimTask.Wake wake && !wake.isCancelled()) {
      wake(wake.task);
    }
  }

  private boolean isPastLimit() {
    return timeline.now() > timeLimit || timeline.steps() > stepLimit;
  }

  private void checkLimits() {
    if (timeline.now() > timeLimit) {
      fail(SimulationFailure.Kind.TIME_LIMIT, "the limit of virtual time is exceeded", null);
    } else if (timeline.steps() > stepLimit) {
      fail(SimulationFailure.Kind.STEP_LIMIT, "the limit of steps is exceeded", null);
    } else if (isIdle() && timers.isIdleForLong()) {
      fail(SimulationFailure.Kind.STALLED, "a deadlock: no foreground task can continue", null);
    }
  }

  private boolean isIdle() {
    if (timers.isForegroundWaiting() || running != null) {
      return false;
    }
    for (SimTask task : tasks) {
      if (task.isForeground() && task.state == SimTask.State.PARKED) {
        return true;
      }
    }
    return false;
  }

  private void wake(SimTask task) {
    timers.fired(task);
    if (task.pausedUntil() > timeline.now()) {
      timers.set(task, task.pausedUntil());
      return;
    }
    task.awake = true;
    LockSupport.unpark(task.thread);
  }

  private SimTask takeReady() {
    int last = ready.size() - 1;
    int chosen = last == 0 ? 0 : random.nextInt(last + 1);
    SimTask task = ready.get(chosen);
    ready.set(chosen, ready.get(last));
    ready.remove(last);
    return task;
  }

  private void runTask(SimTask task) {
    timeline.countStep();
    running = task;
    if (task.state == SimTask.State.NEW || task.state == SimTask.State.PARKED) {
      task.state = SimTask.State.RUNNABLE;
    }
    runStep(task);
    running = null;
    if (task.state == SimTask.State.RUNNABLE) {
      if (ready.remove(task)) {
        yielded(task);
      } else {
        task.state = SimTask.State.PARKED;
        parked(task);
      }
    }
  }

  /**
   * With one carrier, a task waits for a lock only if the holder of the lock waits as well, for a
   * flush or for a time.
   */
  private void parked(SimTask task) {
    Object blocker = LockSupport.getBlocker(task.thread());
    if (blocker != null && blocker.getClass().getName().contains("Reentrant")) {
      heldLocks.add(
          report.of(task.name() + " waits for a lock held across a wait", timeline, tasks));
    }
  }

  /** Returns reports of locks of java.util.concurrent that were held while their holder waited. */
  List<String> locksHeldAcrossWaits() {
    return heldLocks;
  }

  private void runStep(SimTask task) {
    Runnable next = task.continuation;
    while (next == task.continuation) {
      next.run();
      next = isInMonitor(task) ? monitors.await() : null;
    }
    if (isInMonitor(task)) {
      String what = task.name() + " waits for a monitor that another simulated thread has";
      fail(SimulationFailure.Kind.STALLED, what, null);
    }
  }

  /**
   * Returns true if a task whose step has ended waits neither for the world nor for another task.
   */
  private boolean isInMonitor(SimTask task) {
    Thread.State state = task.thread.getState();
    boolean resumed = state == Thread.State.RUNNABLE && task.state != SimTask.State.STOPPED;
    boolean isBlocked = state == Thread.State.BLOCKED || threads.awaitsNotification(task.thread);
    return (resumed || isBlocked) && !ready.contains(task);
  }

  /** Virtual time advances a little, so that a polling loop ends at some time. */
  private void yielded(SimTask task) {
    SimEvent next =
        new SimEvent() {
          @Override
          protected void fire() {
            timers.fired(task);
            if (task.isAlive()) {
              ready.add(task);
            }
          }
        };
    timers.setEvent(task, next, timeline.now() + YIELD_NANOS);
  }

  /** Ends every task: each one is resumed once more and detects that the world is closed. */
  void close() {
    closing = true;
    carrier = Thread.currentThread();
    for (SimTask task : tasks) {
      if (task.isDue) {
        ready.add(task); // it was unparked before; a second unpark has no effect
      }
    }
    for (int round = 0; round < tasks.size() + 1 && unwind(); round++) {
      // each round may release locks that other tasks wait for
    }
  }

  private boolean unwind() {
    boolean progress = false;
    for (SimTask task : tasks) {
      if (task.state != SimTask.State.FINISHED && task.thread.isAlive()) {
        LockSupport.unpark(task.thread);
      }
    }
    // each task once: a task that polls without the environment would never end
    for (int left = ready.size(); left > 0 && !ready.isEmpty(); left--) {
      SimTask task = takeReady();
      running = task;
      runStep(task);
      running = null;
      progress |= task.state == SimTask.State.FINISHED;
    }
    return progress;
  }
}
