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
 * @param planCacheSize statements whose plans are kept
 * @param countVerbs whether sessions count what they ask of the fabric, see {@link
 *     Session#counters}
 */
public record DatabaseOptions(
    String name,
    long memoryBytes,
    int versions,
    String protocol,
    Duration snapshotRetention,
    int planCacheSize,
    boolean countVerbs) {

  public static final long DEFAULT_MEMORY_BYTES = 4L << 30;

  public static DatabaseOptions defaults() {
    return new DatabaseOptions(
        "nelumbo", DEFAULT_MEMORY_BYTES, 2, "lotus", Duration.ofMinutes(10), 2_000, false);
  }

  public DatabaseOptions withName(String value) {
    return new DatabaseOptions(
        value, memoryBytes, versions, protocol, snapshotRetention, planCacheSize, countVerbs);
  }

  public DatabaseOptions withMemoryBytes(long value) {
    return new DatabaseOptions(
        name, value, versions, protocol, snapshotRetention, planCacheSize, countVerbs);
  }

  public DatabaseOptions withVersions(int value) {
    return new DatabaseOptions(
        name, memoryBytes, value, protocol, snapshotRetention, planCacheSize, countVerbs);
  }

  public DatabaseOptions withProtocol(String value) {
    return new DatabaseOptions(
        name, memoryBytes, versions, value, snapshotRetention, planCacheSize, countVerbs);
  }

  public DatabaseOptions withSnapshotRetention(Duration value) {
    return new DatabaseOptions(
        name, memoryBytes, versions, protocol, value, planCacheSize, countVerbs);
  }

  public DatabaseOptions withPlanCacheSize(int value) {
    return new DatabaseOptions(
        name, memoryBytes, versions, protocol, snapshotRetention, value, countVerbs);
  }

  public DatabaseOptions withCountVerbs(boolean value) {
    return new DatabaseOptions(
        name, memoryBytes, versions, protocol, snapshotRetention, planCacheSize, value);
  }
}
