package org.nelumbo.simulation.figure;

/**
 * A row that a transaction reads, and perhaps writes.
 *
 * @param table number of its table
 * @param row number of the row within the table
 * @param isWritten whether the transaction writes it
 */
record RowAccess(int table, long row, boolean isWritten) {}
