package org.nelumbo.simulation.cluster;

import org.nelumbo.executor.timestamp.ClockKind;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.simulation.config.Settings;

/**
 * The options of the database of a world.
 *
 * @param api API of the clients
 * @param policy how transactions handle conflicting locks
 * @param lockTimeout longest wait for a lock, nanoseconds
 * @param computeNodes compute nodes at a time; 1: the pool is exclusive
 * @param memoryNodes memory nodes of the pool
 * @param nodeBytes memory of each memory node
 * @param versions cells of a CVT
 * @param ordered whether the table has an ordered primary index
 * @param hashed whether the table has a hash index
 * @param indexed whether it has a secondary index on GRP
 * @param uniqueGroup whether GRP is unique
 * @param textLength maximum length of TXT
 * @param addressLikeKeys whether the LOTUS keys of all rows could be addresses; native API only
 * @param lockBuckets buckets of the lock table; with few of them keys share buckets and overflow
 *     them
 * @param retention time for which snapshots keep old versions, nanoseconds
 * @param recordCacheBytes record cache of the compute node; SQL uses its default
 * @param cachedCvts rows whose CVTs a compute node caches; native API only
 * @param lease time without heartbeats after which a member of a shared pool may be declared
 *     failed, nanoseconds
 * @param calm whether messages between compute nodes are neither lost nor late
 * @param guests probability that a compute node is a non-voting member, in half of the runs
 * @param placedEvery mean interval of shard placements by hand, nanoseconds, in half of the runs;
 *     0: none
 * @param clock clock of a shared pool
 * @param leaves how often a compute node leaves in order during the run, and another one joins
 * @param schema form of the table, and its changes; SQL only
 */
public record ClusterOptions(
    Api api,
    ConflictPolicy policy,
    long lockTimeout,
    int computeNodes,
    int memoryNodes,
    long nodeBytes,
    int versions,
    boolean ordered,
    boolean hashed,
    boolean indexed,
    boolean uniqueGroup,
    int textLength,
    boolean addressLikeKeys,
    int lockBuckets,
    long retention,
    long recordCacheBytes,
    int cachedCvts,
    long lease,
    boolean calm,
    double guests,
    long placedEvery,
    ClockKind clock,
    int leaves,
    SchemaOptions schema) {

  /** Reads the options from the settings of a scenario. */
  public static ClusterOptions of(Settings settings) {
    return new ClusterOptions(
        settings.choice("api", Api.class, Api.NATIVE),
        settings.choice("conflict", ConflictPolicy.class, ConflictPolicy.WAIT_DIE),
        settings.nanos("lock-timeout", "10ms"),
        settings.integer("compute-nodes", 1),
        settings.integer("memory-nodes", 1),
        settings.bytes("memory", "8MiB"),
        settings.integer("versions", 2),
        settings.flag("ordered", true),
        settings.flag("hash", true),
        settings.flag("indexed", false),
        settings.flag("unique-group", false),
        settings.integer("text-length", 20),
        settings.flag("keys-like-addresses", false),
        settings.integer("lock-buckets", 64),
        settings.nanos("snapshot-retention", "10s"),
        settings.bytes("record-cache", "0"),
        settings.integer("cached-cvts", 1 << 12),
        settings.nanos("lease", "1ms"),
        settings.flag("messages.calm", false),
        settings.probability("guests", 0.3),
        settings.nanos("placed.every", "1ms"),
        settings.choice("clock", ClockKind.class, ClockKind.VECTOR),
        settings.integer("leaves", 0),
        SchemaOptions.of(settings));
  }
}
