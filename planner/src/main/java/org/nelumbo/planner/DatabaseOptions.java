package org.nelumbo.planner;

import java.time.Duration;

/**
 * How a database is opened.
 *
 * @param name for messages and SYS views
 * @param memoryBytes size of the pool; the memory is taken from the operating system as it is used
 * @param versions cells of a CVT for tables that do not say ({@code WITH (versions = n)})
 * @param protocol the transaction protocol; "lotus" is the one there is
 * @param snapshotRetention how long a snapshot keeps old versions alive
 * @param recordCacheBytes memory for records that are remembered where the pool is across a network
 * @param planCacheSize statements whose plans are kept
 * @param countVerbs whether sessions count what they ask of the fabric, see {@link
 *     Session#counters}
 * @param forceRecovery whether to attach to a pool on memory nodes although too few of them are as
 *     they were, whatever is lost
 */
public record DatabaseOptions(
    String name,
    long memoryBytes,
    int versions,
    String protocol,
    Duration snapshotRetention,
    long recordCacheBytes,
    int planCacheSize,
    boolean countVerbs,
    boolean forceRecovery) {

  public static final long DEFAULT_MEMORY_BYTES = 4L << 30;
  public static final long DEFAULT_RECORD_CACHE_BYTES = 64L << 20;

  public static DatabaseOptions defaults() {
    return new DatabaseOptions(
        "nelumbo",
        DEFAULT_MEMORY_BYTES,
        2,
        "lotus",
        Duration.ofMinutes(10),
        DEFAULT_RECORD_CACHE_BYTES,
        2_000,
        false,
        false);
  }

  public DatabaseOptions withName(String value) {
    return new DatabaseOptions(
        value,
        memoryBytes,
        versions,
        protocol,
        snapshotRetention,
        recordCacheBytes,
        planCacheSize,
        countVerbs,
        forceRecovery);
  }

  public DatabaseOptions withMemoryBytes(long value) {
    return new DatabaseOptions(
        name,
        value,
        versions,
        protocol,
        snapshotRetention,
        recordCacheBytes,
        planCacheSize,
        countVerbs,
        forceRecovery);
  }

  public DatabaseOptions withVersions(int value) {
    return new DatabaseOptions(
        name,
        memoryBytes,
        value,
        protocol,
        snapshotRetention,
        recordCacheBytes,
        planCacheSize,
        countVerbs,
        forceRecovery);
  }

  public DatabaseOptions withProtocol(String value) {
    return new DatabaseOptions(
        name,
        memoryBytes,
        versions,
        value,
        snapshotRetention,
        recordCacheBytes,
        planCacheSize,
        countVerbs,
        forceRecovery);
  }

  public DatabaseOptions withSnapshotRetention(Duration value) {
    return new DatabaseOptions(
        name,
        memoryBytes,
        versions,
        protocol,
        value,
        recordCacheBytes,
        planCacheSize,
        countVerbs,
        forceRecovery);
  }

  public DatabaseOptions withRecordCacheBytes(long value) {
    return new DatabaseOptions(
        name,
        memoryBytes,
        versions,
        protocol,
        snapshotRetention,
        value,
        planCacheSize,
        countVerbs,
        forceRecovery);
  }

  public DatabaseOptions withPlanCacheSize(int value) {
    return new DatabaseOptions(
        name,
        memoryBytes,
        versions,
        protocol,
        snapshotRetention,
        recordCacheBytes,
        value,
        countVerbs,
        forceRecovery);
  }

  public DatabaseOptions withCountVerbs(boolean value) {
    return new DatabaseOptions(
        name,
        memoryBytes,
        versions,
        protocol,
        snapshotRetention,
        recordCacheBytes,
        planCacheSize,
        value,
        forceRecovery);
  }

  public DatabaseOptions withForceRecovery(boolean value) {
    return new DatabaseOptions(
        name,
        memoryBytes,
        versions,
        protocol,
        snapshotRetention,
        recordCacheBytes,
        planCacheSize,
        countVerbs,
        value);
  }
}
