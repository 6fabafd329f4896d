/**
 * Statistics of statements: their durations, the causes of rollbacks, and the log of slow
 * statements.
 *
 * <p>A database has one {@link org.nelumbo.database.workload.WorkloadMonitor}; each session has a
 * {@link org.nelumbo.database.workload.StatementTimer}. SYS views and metrics read {@link
 * org.nelumbo.database.workload.WorkloadStatistics}.
 *
 * <p><b>Cost.</b> A statement on memory of this machine takes about a microsecond, so only one in
 * 16, at random, is measured there. All statements are measured if the pool is on memory nodes, or
 * if slow statements are logged. A statement that is not logged allocates nothing here.
 */
package org.nelumbo.database.workload;
