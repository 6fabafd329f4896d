package org.nelumbo.executor.plan;

/**
 * The measurements of an operator in a run, including its inputs.
 *
 * @param opens number of times it was opened
 * @param rows total number of rows it returned
 * @param nanos time spent, in nanoseconds
 * @param spilledBytes bytes written to temporary files
 * @param verbs round trips and verbs, as far as they were counted
 */
public record OperatorStatistics(
    long opens, long rows, long nanos, long spilledBytes, VerbCount verbs) {}
