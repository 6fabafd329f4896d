package org.nelumbo.simulation.message;

/**
 * Delays and faults of the messages in a {@link MessageNetwork}.
 *
 * @param shortestNanos shortest delay of a message
 * @param longestNanos longest delay of a message that is not slow
 * @param slow share of messages that take up to {@code slowestNanos}
 * @param slowestNanos longest delay of a slow message
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
