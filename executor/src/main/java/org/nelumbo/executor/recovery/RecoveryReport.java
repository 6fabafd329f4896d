package org.nelumbo.executor.recovery;

/**
 * The report of an attach: what was found and done.
 *
 * @param tables tables of the pool, the catalogue's own included
 * @param rows rows in them
 * @param committed transactions that were completed: some of their cells were visible
 * @param undoneCells cells that were taken back: their transactions were not committed
 * @param removedEntries index entries that led to no row, or not to the row as it is
 * @param repairedNodes index nodes and segments that were left half-changed
 * @param rebuiltIndexes ordered indexes that were built anew, since a node was half-written
 * @param damagedTables tables that were set aside, since what is in them cannot be trusted
 * @param liveBytes bytes of the pool in use
 * @param inOrder the pool was left in order: nothing was looked for, and rows were not counted
 * @param nanos how long it took
 */
public record RecoveryReport(
    int tables,
    long rows,
    int committed,
    long undoneCells,
    long removedEntries,
    int repairedNodes,
    int rebuiltIndexes,
    int damagedTables,
    long liveBytes,
    boolean inOrder,
    long nanos) {}
