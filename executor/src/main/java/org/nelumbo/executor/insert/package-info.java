/**
 * Inserts of many rows at once, and their undo.
 *
 * <p>{@link org.nelumbo.executor.insert.BatchInserter} adds the CVTs of up to 64 new rows, whose
 * locks are held, to the hash index and, through {@link
 * org.nelumbo.executor.insert.IndexEntryInserter}, to the ordered ones, usually in two round trips.
 * Rows whose key or unique value may exist already are left to the caller, which inserts them one
 * by one. {@link org.nelumbo.executor.insert.InsertUndo} removes rows that their transaction does
 * not keep: the rows of a batch that failed half-way, or all rows if the transaction aborts.
 *
 * <p>A placed row is not visible: its CVT has no version until the commit. A reader that finds it
 * earlier treats it as absent, and a transaction that needs the key waits for its lock. Used by one
 * thread at a time.
 */
package org.nelumbo.executor.insert;
