package org.nelumbo.simulation.fault;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.simulation.instrument.Injected;
import org.nelumbo.simulation.instrument.InstrumentedLoader;
import org.nelumbo.simulation.instrument.Probe;
import org.nelumbo.simulation.instrument.SiteCatalog;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * An injector of throwables at lines of the engine: an OutOfMemoryError where it allocates or posts
 * verbs, a StackOverflowError or an IllegalStateException where it calls a method.
 *
 * <p>Lines are drawn in two ways at a time, and the first drawn line that is reached throws: lines
 * that the run has reached before, and the n-th line that it reaches for the first time. So rare
 * code is hit as often as frequent code. After each throw, lines are drawn again, until the wanted
 * number of throwables has been injected. On a full stack handlers throw, too; to model that, lines
 * of handlers may throw as well. Works only in an engine loaded by an {@link InstrumentedLoader}.
 */
final class ThrowInjector {
  private static final int SITES_TOGETHER = 4;

  /** Mean virtual time after which lines reached before are drawn anew. */
  private static final long DRAW_NANOS = 100_000;

  private static final int REACHED_SHIFTS = 9;

  /**
   * Exponent of the first upper bound: a run reaches some thousand lines, many of them at its
   * beginning.
   */
  private static final int FIRST_NEW_SHIFTS = 12;

  private static final int NEW_SHIFTS = 9;
  private static final int DRAWS = 4;
  private static final int NESTED_MAX = 3;
  private static final long SAMPLE_MILLIS = 500;
  private static final int SAMPLES_MAX = 2;

  /** More lines than any step of the engine executes. */
  private static final long LINES_MAX = 5_000_000;

  private static final Map<Thread, ThrowInjector> BY_CARRIER = new ConcurrentHashMap<>();

  private final SimWorld world;
  private final FaultPlan plan;
  private final FaultCounts counts;
  private final SimRandom random;
  private final List<SiteCatalog.Site> sites;
  private final Thread carrier = Thread.currentThread();

  /** Remaining number of executions of each drawn line. */
  private final Map<Integer, Integer> left = new HashMap<>();

  private final List<Integer> reached = new ArrayList<>();
  private final BitSet unreached = new BitSet();

  /** Lines to be reached for the first time until one of them throws. */
  private int newLeft;

  private int throwsLeft;

  /** Lines of handlers that may throw; empty if disabled. */
  private final BitSet handlers = new BitSet();

  private SimTask unwinding;
  private int nestedLeft;
  private long stepsSeen = -1;
  private int samplesWithoutStep;

  /** True while lines are counted, since the world seems to take no step. */
  private volatile boolean suspected;

  private volatile long stepsSuspected;
  private long lines;

  static {
    Thread.ofPlatform().daemon().name("spin-watch").start(ThrowInjector::watch);
  }

  ThrowInjector(SimWorld world, FaultPlan plan, FaultCounts counts) {
    this.world = world;
    this.plan = plan;
    this.counts = counts;
    this.random = world.random("throws");
    if (!InstrumentedLoader.isInside(ThrowInjector.class)) {
      throw new IllegalStateException(
          "the engine was loaded without instrumentation for exceptions");
    }
    this.sites = ((InstrumentedLoader) ThrowInjector.class.getClassLoader()).catalog().sites();
  }

  void start() {
    throwsLeft = plan.throwCount();
    Probe.listen(sites.size(), ThrowInjector::reachedSomewhere);
    BY_CARRIER.put(carrier, this);
    for (int site = 0; site < sites.size(); site++) {
      boolean wanted =
          sites.get(site).kind() != SiteCatalog.Kind.PLAIN
              && sites.get(site).type().contains(plan.throwAt());
      if (wanted) {
        unreached.set(site);
        Probe.arm(site);
      }
      boolean mayThrow =
          sites.get(site).handler() && sites.get(site).kind() != SiteCatalog.Kind.PLAIN;
      if (plan.throwNested() > 0 && mayThrow) {
        handlers.set(site);
        Probe.arm(site);
      }
    }
    drawNew(FIRST_NEW_SHIFTS);
    scheduleDraw();
  }

  /** Ends the injection. */
  void stop() {
    throwsLeft = 0;
    nestedLeft = 0;
    handlers.stream().forEach(Probe::disarm);
    handlers.clear();
    unreached.stream().forEach(Probe::disarm);
    unreached.clear();
    forgetDrawn();
    BY_CARRIER.remove(carrier, this);
    if (suspected) {
      suspected = false;
      Probe.disarmAll();
    }
  }

  private void forgetDrawn() {
    left.keySet().forEach(Probe::disarm);
    left.clear();
  }

  private void drawNew(int shifts) {
    newLeft = 1 + random.nextInt(1 << random.nextInt(shifts));
  }

  private void drawReached() {
    forgetDrawn();
    for (int i = 0; i < SITES_TOGETHER && !reached.isEmpty(); i++) {
      int site = reached.get(random.nextInt(reached.size()));
      int times = 1 + random.nextInt(1 << random.nextInt(REACHED_SHIFTS));
      if (left.putIfAbsent(site, times) == null) {
        Probe.arm(site);
      }
    }
  }

  private void scheduleDraw() {
    world.at(
        world.now() + 1 + random.nextLong(2 * DRAW_NANOS),
        () -> {
          if (throwsLeft > 0) {
            drawReached();
            scheduleDraw();
          }
        });
  }

  /** Code that runs without waiting would never end. */
  private static void watch() {
    try {
      while (true) {
        Thread.sleep(SAMPLE_MILLIS);
        BY_CARRIER.values().forEach(ThrowInjector::sample);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sample() {
    long steps = world.steps();
    samplesWithoutStep = steps == stepsSeen ? samplesWithoutStep + 1 : 0;
    stepsSeen = steps;
    if (samplesWithoutStep == SAMPLES_MAX && !suspected) {
      Probe.armAll();
      stepsSuspected = steps;
      suspected = true;
    }
  }

  /** If the world has taken a step since, only the processor was scarce. */
  private void countLine(SimTask task) {
    if (world.steps() != stepsSuspected) {
      stepsSuspected = world.steps();
      lines = 0;
      suspected = false;
      Probe.disarmAll();
    } else if (++lines > LINES_MAX) {
      throw new AssertionError(task + " runs endlessly and never waits");
    }
  }

  private static void reachedSomewhere(int site) {
    ThrowInjector injector = BY_CARRIER.get(SimWorld.currentCarrier());
    if (injector != null) {
      injector.reached(site);
    }
  }

  private void reached(int site) {
    SimTask task = world.current();
    if (task == null || world.isInEvent()) {
      return;
    }
    if (suspected) {
      countLine(task);
    }
    if (isDrawn(site) && throwsLeft > 0 && !isSpared()) {
      throwsLeft--;
      nestedLeft = NESTED_MAX;
      unwinding = task;
      throwAt(site, task);
    } else if (nestedLeft > 0 && handlers.get(site) && task == unwinding && isNestedDrawn()) {
      nestedLeft--;
      throwAt(site, task);
    }
  }

  private boolean isNestedDrawn() {
    return random.nextDouble() < plan.throwNested();
  }

  private boolean isDrawn(int site) {
    if (unreached.get(site)) {
      unreached.clear(site);
      Probe.disarm(site);
      reached.add(site);
      return --newLeft <= 0;
    }
    Integer times = left.get(site);
    if (times == null) {
      return false;
    }
    left.put(site, times - 1);
    return times <= 1;
  }

  private void throwAt(int site, SimTask task) {
    drawNew(NEW_SHIFTS);
    drawReached();
    Throwable thrown = Injected.at(sites.get(site), random.nextInt(DRAWS));
    counts.threw(thrown, task.name());
    world.trace().fault(world.now(), task.id(), task.name(), "throws " + thrown);
    ThrowInjector.<RuntimeException>raise(thrown);
  }

  /** A class whose initialization fails would be unusable in all later runs. */
  private static boolean isSpared() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getMethodName().equals("<clinit>")
                            || frame.getMethodName().equals("transactionEnded")
                            || frame.getMethodName().equals("observe")
                            || frame.getClassName().endsWith(".PoolInspector")));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
