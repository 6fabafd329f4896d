package org.nelumbo.simulation.world;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.simulation.trace.Trace;

/**
 * A simulated world: virtual time, nodes, and threads that run one at a time from one seed.
 *
 * <pre>
 * try (SimWorld world = new SimWorld(seed, Trace.hashing())) {
 *   SimNode node = world.addNode("cn0");
 *   world.spawn(node, "client", () -> ...);   // any number of tasks, also from inside
 *   world.run();                              // until all of them have finished
 * }
 * </pre>
 *
 * <p>A world is used on one thread, its carrier; worlds share nothing. Closing a world ends its
 * threads; no part of it can be used afterwards.
 */
public final class SimWorld implements AutoCloseable {
  private static final Set<String> MACHINERY =
      Set.of(Scheduler.class.getName(), SimWorld.class.getName(), SimEnvironment.class.getName());

  private final long seed;
  private final Trace trace;
  private final Scheduler scheduler;
  private final List<SimNode> nodes = new ArrayList<>();

  public SimWorld(long seed, Trace trace) {
    DirectMemory.makeRoom();
    this.seed = seed;
    this.trace = trace;
    this.scheduler = new Scheduler(new WorldReport(seed, MACHINERY), random("schedule"));
  }

  /** Returns the thread that drives the world whose code calls this method. */
  public static Thread currentCarrier() {
    return VirtualThreads.currentCarrierOfCaller();
  }

  public long seed() {
    return seed;
  }

  public Trace trace() {
    return trace;
  }

  /** Returns a stream of random numbers that depends on the seed and the name only. */
  public SimRandom random(String name) {
    return SimRandom.of(seed, name);
  }

  /** Returns the virtual time in nanoseconds since the start of the world. */
  public long now() {
    return scheduler.timeline().now();
  }

  /** Returns the number of events and thread switches so far. */
  public long steps() {
    return scheduler.timeline().steps();
  }

  /** Sets limits: a run that passes this virtual time, or this number of steps, fails. */
  public void setLimits(long virtualNanos, long stepsMax) {
    scheduler.setLimits(virtualNanos, stepsMax);
  }

  public SimNode addNode(String name) {
    SimNode node = new SimNode(name, scheduler.timeline(), this::environment);
    nodes.add(node);
    return node;
  }

  private Environment environment(SimNode node) {
    return new SimEnvironment(node, scheduler, random("environment " + node.name()));
  }

  public List<SimNode> nodes() {
    return Collections.unmodifiableList(nodes);
  }

  /** Starts a foreground task; its failure fails the run. */
  public SimTask spawn(SimNode node, String name, SimTaskBody body) {
    SimTask task = scheduler.newTask(node, name, true, body);
    task.thread().start();
    return task;
  }

  /** Starts a background task. A run does not wait for it, but its failure fails the run. */
  public SimTask spawnInBackground(SimNode node, String name, SimTaskBody body) {
    SimTask task = scheduler.newTask(node, name, false, body);
    task.thread().start();
    return task;
  }

  /** Returns all tasks since the start, in the order of creation. */
  public List<SimTask> tasks() {
    return Collections.unmodifiableList(scheduler.tasks());
  }

  /** Returns the tasks of a node that will take further steps. */
  public List<SimTask> tasksOf(SimNode node) {
    return tasks().stream().filter(task -> task.node() == node && task.isAlive()).toList();
  }

  /** Returns true if an event is firing, such as the arrival of a message, and not a task. */
  public boolean isInEvent() {
    return scheduler.timeline().isFiring();
  }

  /** Returns the running task, or null outside of simulated threads. */
  public SimTask current() {
    return scheduler.running();
  }

  /**
   * Runs until every foreground task has finished or was stopped.
   *
   * @throws SimulationFailure if a task failed, no task can continue, or a limit is passed
   */
  public void run() {
    scheduler.run();
  }

  /**
   * Runs for this much virtual time, or until every foreground task has finished. The remaining
   * tasks can continue later.
   */
  public void runFor(long nanos) {
    scheduler.runUntil(now() + nanos);
  }

  /** Runs until a task has finished, regardless of the other tasks. */
  public void runUntilFinished(SimTask task) {
    scheduler.runUntil(task);
  }

  /** Runs a body as a foreground task, and waits for it and for all other foreground tasks. */
  public void run(SimNode node, String name, SimTaskBody body) {
    spawn(node, name, body);
    run();
  }

  /** Suspends the calling task until this virtual time. */
  public void sleepUntil(long time) {
    scheduler.awaitTime(time);
  }

  /** Schedules an event at a virtual time; a time in the past means now. */
  public void schedule(SimEvent event, long time) {
    scheduler.timeline().schedule(event, time);
  }

  /** Schedules an action at a virtual time; it must not wait. */
  public void at(long time, Runnable action) {
    schedule(
        new SimEvent() {
          @Override
          protected void fire() {
            action.run();
          }
        },
        time);
  }

  /**
   * Injects a fault: the task takes no further step and releases nothing. If it is the running
   * task, this method returns, and the caller has to end the step with {@link #checkAlive}.
   */
  public void stop(SimTask task) {
    if (task.isAlive()) {
      trace.fault(now(), task.id(), task.name(), "stop");
      scheduler.stop(task);
    }
  }

  /** Stops all tasks except one, which may be null. */
  public void stopAllBut(SimTask spared) {
    for (SimTask task : List.copyOf(scheduler.tasks())) {
      if (task != spared) {
        stop(task);
      }
    }
  }

  /** Does not return if the running task was stopped, or the world has ended. */
  public void checkAlive() {
    SimTask task = scheduler.running();
    if (task != null) {
      scheduler.checkAlive(task);
    }
  }

  /** Returns reports of locks of java.util.concurrent that were held while their holder waited. */
  public List<String> locksHeldAcrossWaits() {
    return Collections.unmodifiableList(scheduler.locksHeldAcrossWaits());
  }

  /** Ends all threads of the world. */
  @Override
  public void close() {
    scheduler.close();
  }
}
