package org.nelumbo.simulation.fault;

import java.util.ArrayList;
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
 * Throws something at lines of the engine: an OutOfMemoryError where it allocates or posts verbs, a
 * StackOverflowError or an IllegalStateException where it calls something. Some lines are drawn,
 * and how often each of them has to be reached; the first that is throws, then others are drawn,
 * until there have been as many throwables as wanted. Only in an engine that an {@link
 * InstrumentedLoader} has loaded.
 */
final class ThrowInjector {
  /** So many lines are drawn at a time, since most are not reached by a scenario. */
  private static final int SITES_TOGETHER = 8;

  private static final int REACHED_SHIFTS = 9;
  private static final int DRAWS = 4;
  private static final long SAMPLE_MILLIS = 3_000;
  private static final int SAMPLES_MAX = 10;

  /** By the thread that drives a world. */
  private static final Map<Thread, ThrowInjector> BY_CARRIER = new ConcurrentHashMap<>();

  private final SimWorld world;
  private final FaultPlan plan;
  private final FaultCounts counts;
  private final SimRandom random;
  private final List<SiteCatalog.Site> sites;
  private final Thread carrier = Thread.currentThread();

  /** How often each line that was drawn has to be reached yet. */
  private final Map<Integer, Integer> left = new HashMap<>();

  private int throwsLeft;
  private long stepsSeen = -1;
  private int samplesWithoutStep;
  private volatile boolean spinning;

  static {
    Thread.ofPlatform().daemon().name("spin-watch").start(ThrowInjector::watch);
  }

  ThrowInjector(SimWorld world, FaultPlan plan, FaultCounts counts) {
    this.world = world;
    this.plan = plan;
    this.counts = counts;
    this.random = world.random("throws");
    if (!InstrumentedLoader.isInside(ThrowInjector.class)) {
      throw new IllegalStateException("the engine has not been loaded so that it can throw");
    }
    this.sites = ((InstrumentedLoader) ThrowInjector.class.getClassLoader()).catalog().sites();
  }

  void start() {
    throwsLeft = plan.throwCount();
    Probe.listen(sites.size(), ThrowInjector::reachedSomewhere);
    BY_CARRIER.put(carrier, this);
    draw();
  }

  /** Throws nothing any more. */
  void stop() {
    left.keySet().forEach(Probe::disarm);
    left.clear();
    BY_CARRIER.remove(carrier, this);
  }

  private void draw() {
    List<Integer> before = new ArrayList<>(left.keySet());
    before.forEach(Probe::disarm);
    left.clear();
    while (throwsLeft > 0 && left.size() < SITES_TOGETHER) {
      int site = random.nextInt(sites.size());
      boolean wanted =
          sites.get(site).kind() != SiteCatalog.Kind.PLAIN
              && sites.get(site).type().contains(plan.throwAt());
      if (wanted
          && left.putIfAbsent(site, 1 + random.nextInt(1 << random.nextInt(REACHED_SHIFTS)))
              == null) {
        Probe.arm(site);
      }
    }
  }

  /** Code that runs on for half a minute without waiting for anything will not end. */
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
    if (samplesWithoutStep == SAMPLES_MAX) {
      spinning = true;
      Probe.armAll();
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
    if (spinning && task != null) {
      throw new AssertionError(task + " runs on and on and waits for nothing");
    }
    Integer times = left.get(site);
    if (task == null || times == null) {
      return;
    }
    if (times > 1) {
      left.put(site, times - 1);
      return;
    }
    if (isCheck()) {
      return;
    }
    throwsLeft--;
    draw();
    Throwable thrown = Injected.at(sites.get(site), random.nextInt(DRAWS));
    counts.threw(thrown, task.name());
    world.trace().fault(world.now(), task.id(), task.name(), "throws " + thrown);
    ThrowInjector.<RuntimeException>raise(thrown);
  }

  /** Whether the code that runs is the simulator's way to look at the engine. */
  private static boolean isCheck() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getMethodName().equals("transactionEnded")
                            || frame.getClassName().endsWith(".PoolInspector")));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
