package org.nelumbo.database;

import java.util.Map;
import org.nelumbo.database.plancache.CompilationCounts;
import org.nelumbo.database.workload.WorkloadStatistics;
import org.nelumbo.dm.pool.NetworkTraffic;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.executor.cache.CacheCounts;
import org.nelumbo.executor.cluster.ClusterStatistics;
import org.nelumbo.executor.txn.TransactionCounts;

/**
 * Approximate statistics of a compute node on its database; counts begin when it opened the
 * database.
 *
 * @param sessions open sessions, SQL and native
 * @param activeTransactions transactions in progress in SQL sessions
 * @param waitingTransactions SQL sessions that wait for a lock or retry a statement
 * @param transactions ended transactions by outcome
 * @param cachedPlans number of cached plans
 * @param compilations number and duration of compilations of statements
 * @param memory bytes of the pool
 * @param traffic network traffic; zero if the pool is in this machine's memory
 * @param replicationStatus memory nodes, and the copies on them
 * @param threadFailures failures of background threads by thread name, whether the thread continued
 *     or the pool was stopped
 * @param attach how the database attached to its pool
 * @param caches caches of data on memory nodes; empty if the pool is read as cheaply as a cache
 * @param workload durations of statements, and conflicts
 * @param cluster compute nodes that share the pool, and the lock shards of this one
 */
public record DatabaseStatistics(
    int sessions,
    int activeTransactions,
    int waitingTransactions,
    TransactionCounts transactions,
    long cachedPlans,
    CompilationCounts compilations,
    Memory memory,
    NetworkTraffic traffic,
    ReplicationStatus replicationStatus,
    Map<String, Long> threadFailures,
    AttachReport attach,
    Caches caches,
    WorkloadStatistics workload,
    ClusterStatistics cluster) {

  /**
   * Memory of the pool in bytes, as in {@code SYS.MEMORY}.
   *
   * @param capacity size of all memory nodes
   * @param taken memory that compute nodes have allocated from the memory nodes
   * @param live memory in use, or free on another compute node
   * @param free allocated memory that is free on this compute node
   * @param retired memory that becomes free once no snapshot can read it
   */
  public record Memory(long capacity, long taken, long live, long free, long retired) {}

  /**
   * Caches of this compute node, as in {@code SYS.CACHES}.
   *
   * @param cvts version tables of rows; capacity in rows
   * @param addresses addresses of rows without a cached version table; capacity in rows
   * @param records contents of rows; capacity in bytes
   */
  public record Caches(CacheCounts cvts, CacheCounts addresses, CacheCounts records) {}
}
