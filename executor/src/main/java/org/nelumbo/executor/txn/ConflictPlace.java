package org.nelumbo.executor.txn;

/**
 * What an operation was about that has failed, for the message.
 *
 * @param rowKey LOTUS key of its row; 0 if it has none
 * @param row that row; null if it has none
 * @param other what else it may have waited for: values and ranges of indexes, or rows
 */
public record ConflictPlace(long rowKey, String row, String other) {}
