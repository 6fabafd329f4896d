package org.nelumbo.executor.recovery;

/**
 * The report of an attach: results of the recovery.
 *
 * @param tables number of tables in the pool, including the catalogue's own
 * @param rows number of their rows
 * @param committed number of transactions that were completed, since some of their cells were
 *     visible
 * @param undoneCells number of cells that were freed, since their transactions were not committed
 * @param removedEntries number of index entries that led to no row, or not to its present version
 * @param repairedNodes number of index nodes and segments that were left half-changed
 * @param rebuiltIndexes number of ordered indexes that were rebuilt, since a node was incomplete
 * @param damagedTables number of tables that were set aside, since their contents cannot be trusted
 * @param liveBytes bytes of the pool in use
 * @param inOrder true if the pool was closed in order: nothing was searched, and rows were not
 *     counted
 * @param nanos duration
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
