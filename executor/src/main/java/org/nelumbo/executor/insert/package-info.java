/**
 * Inserts of many rows at once, and taking out again what an insert has made.
 *
 * <p>{@link org.nelumbo.executor.insert.BatchInserter} puts the CVTs of up to 64 new rows, whose
 * locks are held, into the hash index and, through {@link
 * org.nelumbo.executor.insert.IndexEntryInserter}, into the ordered ones: two round trips as a
 * rule. Rows whose key or unique value may be there already are left to the caller, one by one.
 * {@link org.nelumbo.executor.insert.InsertUndo} takes rows out again that their transaction does
 * not leave behind: those of a batch that failed on its way, and all if it aborts.
 *
 * <p>A row that is placed is not visible: its CVT has no version until the commit. Whoever finds it
 * before reads it as absent, and a transaction that wants the key waits for its lock. One thread at
 * a time.
 */
package org.nelumbo.executor.insert;
