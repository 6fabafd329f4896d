/**
 * Histories of transactions: the operations of clients and their results ({@link
 * org.nelumbo.history.History}). Workloads record them with a {@link
 * org.nelumbo.history.SessionRecorder}, the checkers read them, and {@link
 * org.nelumbo.history.HistoryText} formats them as lines for readers and tests.
 */
package org.nelumbo.history;
