package org.nelumbo.simulation.fault;

import java.util.Arrays;
import org.nelumbo.simulation.config.Settings;

/**
 * The plan of how often, and how, a scenario's compute node loses the pool; another one then
 * attaches and recovers it. Times in nanoseconds.
 *
 * @param count number of losses
 * @param how kind of the loss
 * @param within upper bound of the drawn step of a client at which it happens
 * @param takeover longest time until another compute node attaches
 * @param recoveryChance probability that the attaching compute node is disturbed: stopped at a
 *     seeded verb, or overtaken by another one
 * @param collapse probability that all compute nodes that share the pool fail at once, together
 *     with a memory node, which restarts later
 * @param background probability that a compute node fails at a step of one of its background
 *     threads
 * @param rare probability that it fails at a rare step, where each location in the code counts once
 * @param pauseLeases longest pause of a slow compute node, in leases
 * @param inside part of the name of a class, or of a method with its class: a compute node fails at
 *     the first step after the drawn one within a call of it; empty: at the drawn step
 */
public record CrashPlan(
    int count,
    How how,
    int within,
    long takeover,
    double recoveryChance,
    double collapse,
    double background,
    double rare,
    int pauseLeases,
    String inside) {
  /** Ways to lose a pool. */
  public enum How {
    /** The compute node stops before or after a verb or a flush. */
    STOP,
    /** The compute node is slow, declared failed, fenced, and then continues. */
    SLOW,
    /** A verb is lost, and the connection it was sent through. */
    LINK,
    /** A memory node is unreachable for a while; it keeps its memory. */
    MEMORY_NODE,
    /** Any of these, drawn each time. */
    ANY
  }

  /** Reads the plan from the keys of a scenario that begin with {@code crash.}. */
  public static CrashPlan of(Settings settings) {
    return new CrashPlan(
        settings.integer("crash.count", 0),
        settings.choice("crash.how", How.class, How.ANY),
        Math.max(1, settings.integer("crash.within", 300)),
        settings.nanos("crash.takeover", "300us"),
        settings.probability("crash.recovery-chance", 0.3),
        settings.probability("crash.collapse", 0),
        settings.probability("crash.background", 0),
        settings.probability("crash.rare", 0),
        settings.integer("crash.pause-leases", 3),
        settings.text("crash.inside", ""));
  }

  /** Returns true if a thread is at a location where a compute node may fail. */
  public boolean isInside(Thread thread) {
    return inside.isEmpty()
        || Arrays.stream(thread.getStackTrace())
            .map(each -> each.getClassName() + "." + each.getMethodName())
            .anyMatch(each -> each.contains(inside));
  }
}
