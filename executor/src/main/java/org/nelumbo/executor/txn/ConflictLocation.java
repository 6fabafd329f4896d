package org.nelumbo.executor.txn;

/**
 * The row or value that a failed operation was about, for its error message.
 *
 * @param rowKey LOTUS key of the row; 0 if there is no row
 * @param row description of that row; null if there is none
 * @param other description of other items that the operation may have waited for: values and ranges
 *     of indexes, or rows
 */
public record ConflictLocation(long rowKey, String row, String other) {}
