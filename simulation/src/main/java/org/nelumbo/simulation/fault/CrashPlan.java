package org.nelumbo.simulation.fault;

import java.util.Arrays;
import org.nelumbo.simulation.config.Settings;

/**
 * The plan of how often, and how, a scenario's compute node loses the pool; another one then
 * attaches and recovers it. Times in nanoseconds.
 *
 * @param count how often
 * @param how it comes about
 * @param within at which step of a client, drawn up to this one
 * @param takeover longest time until another compute node attaches
 * @param recoveryChance how often the one that attaches is disturbed: stopped at a seeded verb, or
 *     overtaken by another one
 * @param collapse how often all compute nodes that have the pool together die at once, and with
 *     them a memory node, which comes back later
 * @param background how often it is at a step of a background thread of one of these that it dies
 * @param rare how often it is at a rare step, where each place in the code counts once
 * @param pauseLeases longest pause of a compute node that is slow, in leases
 * @param inside part of the name of a class: a compute node dies at a step after the drawn one,
 *     within a call of that class; empty: at the drawn step
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
    /** The compute node stops: before or after a verb, or a flush. */
    STOP,
    /** It is slow, taken for dead, fenced, and comes back. */
    SLOW,
    /** A verb is lost, and the connection it was sent through. */
    LINK,
    /** A memory node cannot be reached for a while; it keeps what it has. */
    MEMORY_NODE,
    /** Any of these, drawn each time. */
    ANY
  }

  /** What the keys of a scenario that begin with {@code crash.} say. */
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

  /** Returns true if a thread is where a compute node may die. */
  public boolean isInside(Thread thread) {
    return inside.isEmpty()
        || Arrays.stream(thread.getStackTrace())
            .anyMatch(each -> each.getClassName().contains(inside));
  }
}
