/**
 * The application of the rounds: a process that works on a pool through JDBC until it is killed,
 * and writes down what it does.
 *
 * <p>{@link org.nelumbo.soak.client.RoundClient} is its main class: sessions move money and append
 * to lists ({@link org.nelumbo.soak.client.WorkSession}), one changes tables ({@link
 * org.nelumbo.soak.client.SchemaSession}), one sorts by temporary files ({@link
 * org.nelumbo.soak.client.SpillSession}). Standard input takes commands, standard output gives a
 * line for each thing that has to outlive a kill: what a transaction did before its commit is asked
 * for, and its outcome when that is known ({@link org.nelumbo.soak.client.TransactionText}). A
 * transaction without a second line has an unknown outcome.
 */
package org.nelumbo.soak.client;
