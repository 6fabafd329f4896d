package org.nelumbo.executor.plan;

/**
 * What an operator took in a run, those below it included.
 *
 * @param opens how often it was opened
 * @param rows how many it gave, together
 * @param spilledBytes written to temporary files
 * @param verbs round trips and verbs, if anybody counted them
 */
public record OperatorStatistics(
    long opens, long rows, long nanos, long spilledBytes, VerbCount verbs) {}
