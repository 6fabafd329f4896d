package org.nelumbo.simulation.cluster;

import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.simulation.config.Settings;

/**
 * The options of the database of a world.
 *
 * @param api how clients reach it
 * @param policy what transactions do about locks of others
 * @param lockTimeout how long they wait at most, nanoseconds
 * @param computeNodes that have the pool at once; 1: it has the pool alone
 * @param memoryNodes of the pool
 * @param nodeBytes memory of each
 * @param versions cells of a CVT
 * @param ordered whether the table has an ordered primary index
 * @param indexed whether it has a secondary index over GRP
 * @param uniqueGroup whether no two rows have the same GRP
 * @param textLength longest TXT
 * @param lockBuckets of the lock table; few make keys share buckets, and overflow them
 * @param retention how long snapshots keep old versions, nanoseconds
 * @param recordCacheBytes memory for records on the compute node; SQL has what it has by default
 * @param cachedCvts rows whose CVTs a compute node keeps; the native API only
 * @param lease how long a compute node that shares the pool may be silent, nanoseconds
 * @param calm whether no message between compute nodes is lost or late
 * @param guests how likely a compute node is a guest, in half of the runs
 * @param placedEvery somebody places shards by hand so often, nanoseconds, in half of the runs; 0:
 *     nobody does
 * @param leaves how often a compute node leaves in order while others work, and another one comes
 * @param schema form of the table, and whether it changes; for SQL
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
    boolean indexed,
    boolean uniqueGroup,
    int textLength,
    int lockBuckets,
    long retention,
    long recordCacheBytes,
    int cachedCvts,
    long lease,
    boolean calm,
    double guests,
    long placedEvery,
    int leaves,
    SchemaOptions schema) {

  /** What a scenario says. */
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
        settings.flag("indexed", false),
        settings.flag("unique-group", false),
        settings.integer("text-length", 20),
        settings.integer("lock-buckets", 64),
        settings.nanos("snapshot-retention", "10s"),
        settings.bytes("record-cache", "0"),
        settings.integer("cached-cvts", 1 << 12),
        settings.nanos("lease", "1ms"),
        settings.flag("messages.calm", false),
        settings.probability("guests", 0.3),
        settings.nanos("placed.every", "1ms"),
        settings.integer("leaves", 0),
        SchemaOptions.of(settings));
  }
}
