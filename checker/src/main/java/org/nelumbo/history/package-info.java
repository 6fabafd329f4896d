/**
 * What clients of a database did and saw, written down compactly: {@link
 * org.nelumbo.history.History}. Workloads write it through a {@link
 * org.nelumbo.history.SessionRecorder}, the checkers read it, and {@link
 * org.nelumbo.history.HistoryText} turns it into lines that people read and tests paste.
 */
package org.nelumbo.history;
