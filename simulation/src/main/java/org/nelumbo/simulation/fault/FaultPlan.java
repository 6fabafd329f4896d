package org.nelumbo.simulation.fault;

import java.util.Locale;
import org.nelumbo.simulation.config.Settings;

/**
 * The faults of a scenario, times in nanoseconds. Chances are per verb. By default a plan has no
 * faults.
 *
 * @param until virtual time after which no fault begins; 0: no limit
 * @param delayChance probability that a verb is late
 * @param delay maximum delay
 * @param lag whether each memory node is late in its own way, see {@link LaggingNode}
 * @param lossChance probability that a verb is lost, and its flush fails
 * @param pauseEvery mean time between pauses; 0: none
 * @param pause longest pause
 * @param pauseNode whether a whole compute node pauses rather than one coordinator
 * @param pauseBackground probability that one of the engine's own threads pauses
 * @param stops number of coordinators that stop
 * @param stopKind kind of step at which they stop
 * @param stopAt number of that step; 0: a seeded one
 * @param stopWithin upper bound of the seeded step
 * @param throwCount number of throwables injected at lines of the engine
 * @param throwNested probability that a line of a handler throws, too, during the unwinding
 * @param throwAt part of the names of the classes of these lines; empty: any
 * @param jumpEvery mean time between jumps of wall clocks; 0: none
 * @param jump longest jump forward
 * @param skew maximum time by which a compute node's wall clock is ahead
 * @param drift maximum rate by which its clocks gain or lose, in millionths
 */
public record FaultPlan(
    long until,
    double delayChance,
    long delay,
    boolean lag,
    double lossChance,
    long pauseEvery,
    long pause,
    boolean pauseNode,
    double pauseBackground,
    int stops,
    StopPoint.Kind stopKind,
    long stopAt,
    int stopWithin,
    int throwCount,
    double throwNested,
    String throwAt,
    long jumpEvery,
    long jump,
    long skew,
    double drift) {

  /** A plan without faults. */
  public static final FaultPlan NONE =
      new FaultPlan(
          0, 0, 0, false, 0, 0, 0, false, 0, 0, StopPoint.Kind.VERB, 0, 1, 0, 0, "", 0, 0, 0, 0);

  /** Reads the plan from the keys of a scenario that begin with {@code fault.}. */
  public static FaultPlan of(Settings settings) {
    return new FaultPlan(
        settings.nanos("fault.until", "0ns"),
        settings.probability("fault.delay.chance", 0),
        settings.nanos("fault.delay.length", "100us"),
        settings.flag("fault.delay.by-node", false),
        settings.probability("fault.loss.chance", 0),
        settings.nanos("fault.pause.every", "0ns"),
        settings.nanos("fault.pause.length", "100us"),
        settings.flag("fault.pause.whole-node", false),
        settings.probability("fault.pause.background", 0),
        settings.integer("fault.stop.count", 0),
        settings.choice("fault.stop.at", StopPoint.Kind.class, StopPoint.Kind.VERB),
        settings.integer("fault.stop.n", 0),
        Math.max(1, settings.integer("fault.stop.within", 1000)),
        settings.integer("fault.throw.count", 0),
        settings.probability("fault.throw.nested", 0),
        settings.text("fault.throw.at", ""),
        settings.nanos("fault.clock.jump.every", "0ns"),
        settings.nanos("fault.clock.jump.length", "10ms"),
        settings.nanos("fault.clock.skew", "0ns"),
        settings.number("fault.clock.drift", 0));
  }

  /**
   * Returns true if coordinators stop while their compute node continues: their locks are not
   * released.
   */
  public boolean stopsCoordinators() {
    return stops > 0;
  }

  /** Returns true if a compute node may miss heartbeats until the others declare it failed. */
  public boolean silencesComputeNodes() {
    return pauseEvery > 0 && (pauseNode || pauseBackground > 0);
  }

  /** Returns true if throwables are injected, for which the engine has to be instrumented. */
  public boolean throwsSomething() {
    return throwCount > 0;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "stops=%d pauses=%s delays=%s", stops, pauseEvery > 0, delayChance > 0);
  }
}
