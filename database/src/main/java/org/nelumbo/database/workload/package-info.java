/**
 * What statements do to a database as seen from outside: how long they take, why transactions were
 * rolled back, which statements are slow.
 *
 * <p>{@link org.nelumbo.database.workload.WorkloadMonitor} is the one place of a database; each
 * session has a {@link org.nelumbo.database.workload.StatementTimer}. {@link
 * org.nelumbo.database.workload.WorkloadStatistics} is what SYS views and metrics read.
 *
 * <p><b>Cost.</b> A statement on memory of this machine takes about a microsecond, so one in 16, at
 * random, is timed there; all are where the pool is on memory nodes, or slow ones are to be logged.
 * Nothing is allocated for a statement that is not logged.
 */
package org.nelumbo.database.workload;
