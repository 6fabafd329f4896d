package org.nelumbo.simulation.message;

/**
 * What happens to messages.
 *
 * @param shortestNanos that a message takes
 * @param longestNanos that one of the quicker messages takes
 * @param slow share of messages that take up to {@code slowestNanos}
 * @param slowestNanos that a slow message takes
 * @param lost share of messages that never arrive
 * @param doubled share of messages that arrive twice
 */
public record MessageFaults(
    long shortestNanos,
    long longestNanos,
    double slow,
    long slowestNanos,
    double lost,
    double doubled) {}
