/**
 * Histories of transactions: the operations of clients and their results ({@link
 * org.nelumbo.history.History}). Workloads write it through a {@link
 * org.nelumbo.history.SessionRecorder}, the checkers read it, and {@link
 * org.nelumbo.history.HistoryText} turns it into lines that people read and tests paste.
 */
package org.nelumbo.history;
