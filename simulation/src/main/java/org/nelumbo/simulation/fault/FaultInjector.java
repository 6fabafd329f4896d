package org.nelumbo.simulation.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.nelumbo.simulation.fabric.FaultHooks;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * An injector of the faults of a plan into a world, which also counts them. Its victims are the
 * tasks added to it: a plan's stops are drawn among them when {@link #start} is called. {@link
 * #stopAt} stops a given task at a given point, as litmus tests that try every point do. {@link
 * #at} runs any action at such a point, such as the stop of a whole compute node.
 */
public final class FaultInjector implements FaultHooks {
  private final SimWorld world;
  private final SimPool pool;
  private final FaultPlan plan;
  private final SimRandom random;
  private final FaultCounts counts = new FaultCounts();
  private final List<SimTask> victims = new ArrayList<>();
  private final Map<SimTask, Countdown> countdowns = new HashMap<>();
  private SimTask losing;

  private RareSteps rareSteps;

  private final ThrowInjector throwing;
  private final LaggingNode[] lags;
  private boolean started;

  private static final class Countdown {
    final StopPoint point;
    final Runnable action;
    long left;

    Countdown(StopPoint point, Runnable action) {
      this.point = point;
      this.action = action;
      this.left = point.count();
    }
  }

  /** Installs the injector in the fabric, and sets the clocks of the existing nodes. */
  public FaultInjector(SimPool pool, FaultPlan plan) {
    this.world = pool.world();
    this.pool = pool;
    this.plan = plan;
    this.random = world.random("faults");
    this.lags = new LaggingNode[plan.lag() ? pool.nodeCount() : 0];
    Arrays.setAll(lags, node -> new LaggingNode(world, world.random("lag of mn" + node)));
    this.throwing = plan.throwsSomething() ? new ThrowInjector(world, plan, counts) : null;
    pool.setFaults(this);
    for (SimNode node : world.nodes()) {
      setClock(node);
    }
  }

  /** Sets the clock of a node that was added later, according to the plan. */
  public void setClock(SimNode node) {
    if (plan.skew() > 0 || plan.drift() > 0) {
      long skew = plan.skew() == 0 ? 0 : random.nextLong(plan.skew() + 1);
      node.setClock(skew, plan.drift() * (2 * random.nextDouble() - 1));
    }
  }

  public FaultCounts counts() {
    return counts;
  }

  /** Adds a task that faults may hit. */
  public void addVictim(SimTask task) {
    victims.add(task);
  }

  /** Draws the stops, and starts pauses and losses. Throwables are not injected yet. */
  public void start() {
    started = true;
    List<SimTask> left = new ArrayList<>(victims);
    for (int i = 0; i < plan.stops() && !left.isEmpty(); i++) {
      long step = plan.stopAt() > 0 ? plan.stopAt() : 1 + random.nextInt(plan.stopWithin());
      stopAt(left.remove(random.nextInt(left.size())), new StopPoint(plan.stopKind(), step));
    }
    if (plan.pauseEvery() > 0) {
      schedulePause();
    }
    if (plan.jumpEvery() > 0) {
      scheduleJump();
    }
  }

  /** Starts the injection of throwables, if the plan has any. */
  public void startThrowing() {
    if (throwing != null) {
      throwing.start();
    }
  }

  /** Ends the injection of throwables, at or near the end of the run. */
  public void stopThrowing() {
    if (throwing != null) {
      throwing.stop();
    }
  }

  /** Stops a task at a point; its steps are counted from now on. */
  public void stopAt(SimTask task, StopPoint point) {
    at(
        task,
        point,
        () -> {
          counts.stops++;
          stop(task, point);
        });
  }

  private void stop(SimTask task, StopPoint point) {
    world.trace().note(world.now(), task.id(), task.name(), "FAULT stop at " + point);
    if (point.kind() == StopPoint.Kind.VERB || point.kind() == StopPoint.Kind.FLUSHED) {
      pool.stopSharp(task);
    } else {
      pool.stop(task);
    }
  }

  /** Runs an action once, when a task reaches a point; its steps are counted from now on. */
  public void at(SimTask task, StopPoint point, Runnable action) {
    countdowns.put(task, new Countdown(point, action));
  }

  /**
   * Runs an action once, at the n-th location in the code that tasks reach.
   *
   * @param counts selects the tasks whose steps are counted, the first one at each location
   */
  public void atRareStep(long n, Predicate<SimTask> counts, Consumer<SimTask> action) {
    rareSteps = new RareSteps(n, counts, action);
  }

  private void rareStep(SimTask task) {
    RareSteps steps = rareSteps;
    if (steps != null && steps.isReachedBy(task) && rareSteps == steps) {
      rareSteps = null;
    }
  }

  /** Cancels the pending action of a task. */
  public void spare(SimTask task) {
    countdowns.remove(task);
  }

  private boolean isOver() {
    return plan.until() > 0 && world.now() > plan.until();
  }

  private void schedulePause() {
    long wait = 1 + random.nextLong(2 * plan.pauseEvery());
    world.at(
        world.now() + wait,
        () -> {
          victims.removeIf(victim -> !victim.isAlive());
          if (!isOver() && !victims.isEmpty()) {
            pauseSomebody();
            schedulePause();
          }
        });
  }

  private void scheduleJump() {
    long wait = 1 + random.nextLong(2 * plan.jumpEvery());
    world.at(
        world.now() + wait,
        () -> {
          victims.removeIf(victim -> !victim.isAlive());
          if (!isOver() && !victims.isEmpty()) {
            SimNode node = victims.get(random.nextInt(victims.size())).node();
            long jump = 1 + random.nextLong(plan.jump());
            node.jumpClock(jump);
            counts.jumps++;
            world.trace().fault(world.now(), -1, node.name(), "clock jumps by " + jump);
            scheduleJump();
          }
        });
  }

  private SimTask drawVictim() {
    SimTask victim = victims.get(random.nextInt(victims.size()));
    if (plan.pauseBackground() == 0 || !random.chance(plan.pauseBackground())) {
      return victim;
    }
    List<SimTask> tasks =
        world.tasks().stream()
            .filter(each -> each.node() == victim.node() && each.isAlive() && !each.isForeground())
            .toList();
    return tasks.isEmpty() ? victim : tasks.get(random.nextInt(tasks.size()));
  }

  private void pauseSomebody() {
    SimTask victim = drawVictim();
    long until = world.now() + 1 + random.nextLong(plan.pause());
    if (plan.pauseNode()) {
      victim.node().pauseUntil(until);
    } else {
      victim.pauseUntil(until);
    }
    counts.pauses++;
    String who = plan.pauseNode() ? victim.node().name() : victim.name();
    world.trace().fault(world.now(), victim.id(), who, "pause until=" + until);
  }

  /**
   * Stops a compute node: all of its tasks, one of them at this point, the others wherever they
   * are.
   */
  public void stopNodeOf(SimTask first, StopPoint point) {
    counts.nodeStops++;
    stop(first, point);
    stopTasksOf(first.node(), first);
  }

  /** Stops the other tasks of a compute node; not counted as a fault. */
  public void stopTasksOf(SimNode node, SimTask but) {
    for (SimTask task : List.copyOf(world.tasks())) {
      if (task.node() == node && task.isAlive() && task != but) {
        pool.stop(task);
      }
    }
  }

  /** Pauses a compute node for this time; afterwards it continues unchanged. */
  public void pauseNode(SimNode node, long nanos) {
    counts.pauses++;
    node.pauseUntil(world.now() + nanos);
    world.trace().fault(world.now(), -1, node.name(), "pause until=" + (world.now() + nanos));
  }

  /** Stops a memory node for this time; afterwards it is reachable again with its memory. */
  public void stopMemoryNode(int node, long nanos) {
    counts.memoryNodeStops++;
    pool.stopNode(node);
    world.at(world.now() + nanos, () -> pool.restartNode(node));
  }

  /** Loses the next verb of a task, and its connection. */
  public void loseNextVerbOf(SimTask task) {
    losing = task;
  }

  /** Counts a memory node that other code has stopped. */
  public void countMemoryNodeStop() {
    counts.memoryNodeStops++;
  }

  /** Counts a memory node that has restarted empty, or with older content. */
  public void countAmnesia() {
    counts.amnesias++;
  }

  /** Counts a cut of the network between a compute node and a memory node. */
  public void countCut() {
    counts.cuts++;
  }

  /** Counts a takeover of the pool from a live compute node. */
  public void countFenced() {
    counts.fenced++;
  }

  /** Counts a compute node that was stopped while it recovered the pool. */
  public void countRecoveryStop() {
    counts.recoveryStops++;
  }

  /**
   * Counts a compute node that has recovered the pool and continues with it; not a fault in itself.
   */
  public void countTakeover() {
    counts.takeovers++;
  }

  private void step(SimTask task, StopPoint.Kind kind) {
    if (countdowns.isEmpty()) {
      return;
    }
    Countdown countdown = countdowns.get(task);
    if (countdown == null || countdown.point.kind() != kind || --countdown.left > 0) {
      return;
    }
    countdowns.remove(task);
    countdown.action.run();
  }

  @Override
  public void posting(SimTask task) {
    rareStep(task);
    step(task, StopPoint.Kind.POST);
  }

  @Override
  public void flushing(SimTask task) {
    rareStep(task);
    step(task, StopPoint.Kind.FLUSH);
  }

  @Override
  public void flushed(SimTask task) {
    step(task, StopPoint.Kind.FLUSHED);
  }

  @Override
  public void landed(SimTask task) {
    step(task, StopPoint.Kind.VERB);
  }

  @Override
  public long delay(SimTask task, int node) {
    if (plan.lag() && started && !isOver()) {
      long late = lags[node].delay(task, node);
      counts.delays += late > 0 ? 1 : 0;
      return late;
    }
    if (plan.delayChance() == 0 || isOver() || !random.chance(plan.delayChance())) {
      return 0;
    }
    counts.delays++;
    return random.nextLong(plan.delay() + 1);
  }

  @Override
  public boolean loses(SimTask task, int node) {
    if (task == losing) {
      losing = null;
    } else if (!started
        || plan.lossChance() == 0
        || isOver()
        || !random.chance(plan.lossChance())) {
      return false;
    }
    counts.losses++;
    world.trace().fault(world.now(), task.id(), task.name(), "lost verb node=" + node);
    return true;
  }
}
