package org.nelumbo.planner.catalog;

import org.nelumbo.executor.row.Kind;

/**
 * What the catalogue keeps about a sequence, but for its next number.
 *
 * @param kind the type of its numbers
 * @param start what it begins with, and RESTART means
 */
public record SequenceDefinition(
    int id,
    String schema,
    String name,
    Kind kind,
    long start,
    long increment,
    long least,
    long greatest,
    boolean cycle) {}
