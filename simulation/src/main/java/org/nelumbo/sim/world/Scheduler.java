package org.nelumbo.sim.world;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the simulated threads of one world, one at a time, on the thread that drives it (its
 * carrier), from a seed.
 *
 * <p>Runnable tasks go first, in seeded order; when there is none, the next event in the order of
 * (virtual time, seeded tie-break) fires. Code of a task takes no virtual time but for what it
 * waits. A task that waits lets the events of the fabric happen itself, and goes on without a
 * switch of threads if nobody else is due before it.
 *
 * <p>Everything here runs on the carrier, inside a simulated thread or outside of one. Whoever else
 * resumes a simulated thread (a JDK helper thread, after a timed park past the environment) ends
 * the run, since it could not be replayed. But a simulated thread that comes to a monitor which a
 * thread outside of the world has for a moment (a cleaner of the JDK, say) is waited for, and goes
 * on as if it had not been there.
 */
final class Scheduler implements Executor {
  /** How long all foreground tasks may be parked without a time before that is a deadlock. */
  private static final long STALL_NANOS = 1_000_000_000L;

  private static final long YIELD_NANOS = 50;

  private final SimWorld world;
  private final SimRandom random;
  private final VirtualThreads threads = new VirtualThreads();
  private final EventQueue events = new EventQueue();
  private final List<SimTask> tasks = new ArrayList<>();
  private final IdentityHashMap<Runnable, SimTask> byContinuation = new IdentityHashMap<>();
  private final List<SimTask> ready = new ArrayList<>();
  private Thread carrier = Thread.currentThread();
  private SimTask running;
  private long now;
  private long steps;
  private int armedForeground;
  private long idleSince = -1;
  private boolean closing;
  private volatile SimulationFailure failure;

  private final ForeignMonitors monitors = new ForeignMonitors();

  Scheduler(SimWorld world) {
    this.world = world;
    this.random = world.random("schedule");
  }

  long now() {
    return now;
  }

  long steps() {
    return steps;
  }

  List<SimTask> tasks() {
    return tasks;
  }

  /** The task whose code runs, null outside of simulated threads. */
  SimTask running() {
    return running;
  }

  SimTask newTask(SimNode node, String name, boolean foreground, SimBody body) {
    SimTask task = new SimTask(tasks.size(), node.name() + "/" + name, node, foreground);
    task.thread = threads.unstarted(this, task.name(), () -> runBody(task, body));
    task.continuation = threads.continuation(task.thread);
    tasks.add(task);
    byContinuation.put(task.continuation, task);
    return task;
  }

  @SuppressWarnings("CatchAndPrintStackTrace")
  private void runBody(SimTask task, SimBody body) {
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
      failure = new SimulationFailure(kind, WorldReport.of(world, what), cause);
    }
  }

  /** A step of a simulated thread can be run. */
  @Override
  public void execute(Runnable continuation) {
    Thread caller = threads.currentCarrier();
    if (caller != carrier && monitors.isUnblocked(caller, continuation)) {
      return;
    }
    if (caller != carrier) {
      failure =
          new SimulationFailure(
              SimulationFailure.Kind.FOREIGN_THREAD,
              "a thread outside of the world resumed a simulated one, as after a timed park:"
                  + " wait through the Environment; foreign="
                  + Thread.currentThread()
                  + " seed="
                  + world.seed(),
              new IllegalStateException("here"));
      return;
    }
    SimTask task = byContinuation.get(continuation);
    if (task.state == SimTask.State.STOPPED && !closing) {
      return;
    }
    ready.add(task);
  }

  void schedule(SimEvent event, long time) {
    if (event.queued) {
      throw new IllegalStateException("the event is queued already time=" + event.time);
    }
    event.time = Math.max(time, now);
    event.tieBreak = random.nextLong();
    event.rearm();
    events.add(event);
  }

  /** Waits about that long; whoever unparks the thread ends the wait early. */
  void park(long nanos) {
    await(now + nanos, SimTask.State.WAITING, true);
  }

  /** Waits until that virtual time. */
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
    arm(task, time);
    fireWhatNobodyWaitsFor(task);
    while (!task.awake) {
      LockSupport.park();
      if (closing) {
        throw new WorldClosed();
      }
      if (early && !task.awake && task.state != SimTask.State.STOPPED) {
        disarm(task);
        task.awake = true;
      }
    }
    checkAlive(task);
    task.state = SimTask.State.RUNNABLE;
  }

  /** A task that was stopped gets no further than this. */
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

  /** The events up to the waking of the task that runs, unless another task is due before. */
  private void fireWhatNobodyWaitsFor(SimTask task) {
    if (!task.isForeground() && armedForeground == 0) {
      return;
    }
    while (ready.isEmpty() && failure == null && !isPastLimit()) {
      SimEvent next = events.peek();
      if (next instanceof SimTask.Wake wake) {
        if (wake == task.wake && !wake.isCancelled() && task.pausedUntil() <= wake.time) {
          step(events.poll());
          armed(task, -1);
          task.awake = true;
        }
        return;
      }
      step(events.poll());
    }
  }

  private void step(SimEvent event) {
    now = event.time;
    steps++;
    if (event instanceof SimTask.Wake || event.isCancelled()) {
      return;
    }
    event.fire();
  }

  private void arm(SimTask task, long time) {
    if (task.wake.queued) {
      task.wake = new SimTask.Wake(task);
    }
    schedule(task.wake, Math.max(time, task.pausedUntil()));
    armed(task, 1);
  }

  private void disarm(SimTask task) {
    if (task.wake.queued && !task.wake.isCancelled()) {
      task.wake.cancel();
      armed(task, -1);
    }
  }

  private void armed(SimTask task, int change) {
    if (task.isForeground()) {
      armedForeground += change;
      idleSince = -1;
    }
  }

  /** Takes no further step of the task, and gives nothing of it back. */
  void stop(SimTask task) {
    if (task.isAlive()) {
      disarm(task);
      task.state = SimTask.State.STOPPED;
      ready.remove(task);
    }
  }

  /** Runs until that time, for a caller that is no simulated thread. */
  private void drive(long time) {
    carrier = Thread.currentThread();
    SimEvent end =
        new SimEvent() {
          @Override
          protected void fire() {
            cancel();
          }
        };
    schedule(end, time);
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

  /** Runs until that time, or until there is no foreground work; others may go on afterwards. */
  void runUntil(long time) {
    carrier = Thread.currentThread();
    while (hasForegroundWork() && (!ready.isEmpty() || isDue(time))) {
      runNext();
    }
    throwFailure();
  }

  private boolean isDue(long time) {
    SimEvent next = events.peek();
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
    if (armedForeground > 0 || !ready.isEmpty()) {
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
    if (events.isEmpty()) {
      fail(SimulationFailure.Kind.STALLED, "nothing can go on", null);
      return;
    }
    checkLimits();
    SimEvent event = events.poll();
    step(event);
    if (event instanceof SimTask.Wake wake && !wake.isCancelled()) {
      wake(wake.task);
    }
  }

  private boolean isPastLimit() {
    return now > world.timeLimit() || steps > world.stepLimit();
  }

  private void checkLimits() {
    if (now > world.timeLimit()) {
      fail(SimulationFailure.Kind.TIME_LIMIT, "the limit of virtual time is passed", null);
    } else if (steps > world.stepLimit()) {
      fail(SimulationFailure.Kind.STEP_LIMIT, "the limit of steps is passed", null);
    } else if (armedForeground == 0 && running == null && isWaitedFor()) {
      if (idleSince < 0) {
        idleSince = now;
      } else if (now - idleSince > STALL_NANOS) {
        fail(SimulationFailure.Kind.STALLED, "a deadlock: nobody in front can go on", null);
      }
    }
  }

  private boolean isWaitedFor() {
    for (SimTask task : tasks) {
      if (task.isForeground() && task.state == SimTask.State.PARKED) {
        return true;
      }
    }
    return false;
  }

  private void wake(SimTask task) {
    armed(task, -1);
    if (task.pausedUntil() > now) {
      arm(task, task.pausedUntil());
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
    steps++;
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
        world.parked(task);
      }
    }
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

  /** Whether a task whose step has ended waits neither for the world nor for another task. */
  private boolean isInMonitor(SimTask task) {
    Thread.State state = task.thread.getState();
    boolean resumed = state == Thread.State.RUNNABLE && task.state != SimTask.State.STOPPED;
    return (resumed || state == Thread.State.BLOCKED) && !ready.contains(task);
  }

  /** Thread.yield: time goes on a little, so that polling ends some time. */
  private void yielded(SimTask task) {
    armed(task, 1);
    SimEvent next =
        new SimEvent() {
          @Override
          protected void fire() {
            armed(task, -1);
            if (task.isAlive()) {
              ready.add(task);
            }
          }
        };
    schedule(next, now + YIELD_NANOS);
  }

  /** Ends every task: each goes on once more, to find that the world is gone. */
  void close() {
    closing = true;
    carrier = Thread.currentThread();
    for (int round = 0; round < tasks.size() + 1 && unwind(); round++) {
      // each round may free locks that others wait for
    }
  }

  private boolean unwind() {
    boolean progress = false;
    for (SimTask task : tasks) {
      if (task.state != SimTask.State.FINISHED && task.thread.isAlive()) {
        LockSupport.unpark(task.thread);
      }
    }
    // each once: one that polls without the environment would never end
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
