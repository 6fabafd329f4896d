package org.nelumbo.database;

import java.util.Map;
import org.nelumbo.database.workload.WorkloadStatistics;
import org.nelumbo.dm.pool.NetworkTraffic;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.executor.cache.CacheCounts;
import org.nelumbo.executor.cluster.ClusterStatistics;
import org.nelumbo.executor.txn.TransactionCounts;

/**
 * The statistics of a compute node on its database, as of about now; the counts begin when it
 * opened it.
 *
 * @param sessions open sessions, for SQL and of the native API
 * @param activeTransactions transactions in progress in sessions for SQL
 * @param waitingTransactions those of them that wait for a lock
 * @param transactions how transactions ended
 * @param cachedPlans statements whose plans are kept
 * @param memory bytes of the pool
 * @param traffic what went over the network; nothing where the pool is in this machine's memory
 * @param replicationStatus memory nodes, and the copies on them
 * @param threadFailures times that background threads have failed, and gone on or taken the pool
 *     down, by name of the thread
 * @param attach how the database got its pool
 * @param caches of what lies on memory nodes; empty where reading them costs no more
 * @param workload how long statements take, and what they meet
 * @param cluster those that share the pool, and what this compute node has of the locks
 */
public record DatabaseStatistics(
    int sessions,
    int activeTransactions,
    int waitingTransactions,
    TransactionCounts transactions,
    long cachedPlans,
    Memory memory,
    NetworkTraffic traffic,
    ReplicationStatus replicationStatus,
    Map<String, Long> threadFailures,
    AttachReport attach,
    Caches caches,
    WorkloadStatistics workload,
    ClusterStatistics cluster) {

  /**
   * Bytes of the pool, as in {@code SYS.MEMORY}.
   *
   * @param capacity of all memory nodes
   * @param taken from the memory nodes, by all compute nodes
   * @param live in use, or free on another compute node
   * @param free taken, and free to be used on this compute node
   * @param retired free as soon as no snapshot can look there
   */
  public record Memory(long capacity, long taken, long live, long free, long retired) {}

  /**
   * What this compute node remembers of the pool, as in {@code SYS.CACHES}.
   *
   * @param cvts which versions rows have; in rows
   * @param addresses where rows lie of which no more is remembered; in rows
   * @param records what is in rows; in bytes
   */
  public record Caches(CacheCounts cvts, CacheCounts addresses, CacheCounts records) {}
}
