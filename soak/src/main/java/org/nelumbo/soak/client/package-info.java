/**
 * The application of the rounds: a process that uses a pool through JDBC until it is killed, and
 * reports its operations.
 *
 * <p>{@link org.nelumbo.soak.client.RoundClient} is its main class. Sessions move money and append
 * to lists ({@link org.nelumbo.soak.client.WorkSession}), one changes tables ({@link
 * org.nelumbo.soak.client.SchemaSession}), one holds locks for long ({@link
 * org.nelumbo.soak.client.LongSession}), and one sorts by temporary files ({@link
 * org.nelumbo.soak.client.SpillSession}). Standard input takes commands. Standard output gets a
 * line for each event that has to survive a kill: the operations of a transaction before its
 * commit, and its outcome when that is known ({@link org.nelumbo.soak.client.TransactionText}). A
 * transaction without a second line has an unknown outcome.
 */
package org.nelumbo.soak.client;
