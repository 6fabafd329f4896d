package org.nelumbo.database;

import java.time.Duration;
import java.util.function.Consumer;
import org.nelumbo.dm.disk.Directories;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.session.Session;

/**
 * The options for opening a database.
 *
 * @param name name in messages and SYS views
 * @param memoryBytes size of the pool; the operating system provides memory when it is first used
 * @param versions cells of a CVT for tables without their own setting ({@code WITH (versions = n)})
 * @param protocol the transaction protocol; only "lotus" exists
 * @param snapshotRetention how long a snapshot keeps old versions alive
 * @param recordCacheBytes memory for cached records of a pool across a network
 * @param planCacheSize maximum number of cached plans
 * @param countVerbs true if sessions count their fabric operations, see {@link Session#counters}
 * @param forceRecovery true to attach to a pool on memory nodes although too few of them are
 *     intact, accepting the loss of data
 * @param expectation whether a pool that outlives the process must exist, and its expected id
 * @param minCopies live copies of a pool on memory nodes below which commits are refused
 * @param redo how the log of a database in files is written
 * @param loaders threads that load a database from its files
 * @param peerPort port on which other compute nodes reach this one: 0 for any free port, -1 if they
 *     communicate through memory nodes only
 * @param isGuest true for a non-voting member: it owns lock shards only if all members are
 *     non-voting
 * @param directories directories that statements may name, for backups
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
    boolean forceRecovery,
    PoolExpectation expectation,
    int minCopies,
    RedoOptions redo,
    int loaders,
    int peerPort,
    boolean isGuest,
    Directories directories) {

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
        false,
        PoolExpectation.ANY,
        1,
        RedoOptions.DEFAULT,
        1,
        0,
        true,
        Directories.SYSTEM);
  }

  public DatabaseOptions withName(String value) {
    return with(draft -> draft.name = value);
  }

  public DatabaseOptions withMemoryBytes(long value) {
    return with(draft -> draft.memoryBytes = value);
  }

  public DatabaseOptions withVersions(int value) {
    return with(draft -> draft.versions = value);
  }

  public DatabaseOptions withProtocol(String value) {
    return with(draft -> draft.protocol = value);
  }

  public DatabaseOptions withSnapshotRetention(Duration value) {
    return with(draft -> draft.snapshotRetention = value);
  }

  public DatabaseOptions withRecordCacheBytes(long value) {
    return with(draft -> draft.recordCacheBytes = value);
  }

  public DatabaseOptions withCountVerbs(boolean value) {
    return with(draft -> draft.countVerbs = value);
  }

  public DatabaseOptions withForceRecovery(boolean value) {
    return with(draft -> draft.forceRecovery = value);
  }

  public DatabaseOptions withExpectation(PoolExpectation value) {
    return with(draft -> draft.expectation = value);
  }

  public DatabaseOptions withMinCopies(int value) {
    return with(draft -> draft.minCopies = value);
  }

  public DatabaseOptions withRedo(RedoOptions value) {
    return with(draft -> draft.redo = value);
  }

  public DatabaseOptions withLoaders(int value) {
    return with(draft -> draft.loaders = value);
  }

  public DatabaseOptions withPeerPort(int value) {
    return with(draft -> draft.peerPort = value);
  }

  public DatabaseOptions withGuest(boolean value) {
    return with(draft -> draft.isGuest = value);
  }

  public DatabaseOptions withDirectories(Directories value) {
    return with(draft -> draft.directories = value);
  }

  private DatabaseOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.toOptions();
  }

  private static final class Draft {
    private String name;
    private long memoryBytes;
    private int versions;
    private String protocol;
    private Duration snapshotRetention;
    private long recordCacheBytes;
    private int planCacheSize;
    private boolean countVerbs;
    private boolean forceRecovery;
    private PoolExpectation expectation;
    private int minCopies;
    private RedoOptions redo;
    private int loaders;
    private int peerPort;
    private boolean isGuest;
    private Directories directories;

    Draft(DatabaseOptions of) {
      this.name = of.name;
      this.memoryBytes = of.memoryBytes;
      this.versions = of.versions;
      this.protocol = of.protocol;
      this.snapshotRetention = of.snapshotRetention;
      this.recordCacheBytes = of.recordCacheBytes;
      this.planCacheSize = of.planCacheSize;
      this.countVerbs = of.countVerbs;
      this.forceRecovery = of.forceRecovery;
      this.expectation = of.expectation;
      this.minCopies = of.minCopies;
      this.redo = of.redo;
      this.loaders = of.loaders;
      this.peerPort = of.peerPort;
      this.isGuest = of.isGuest;
      this.directories = of.directories;
    }

    DatabaseOptions toOptions() {
      return new DatabaseOptions(
          name,
          memoryBytes,
          versions,
          protocol,
          snapshotRetention,
          recordCacheBytes,
          planCacheSize,
          countVerbs,
          forceRecovery,
          expectation,
          minCopies,
          redo,
          loaders,
          peerPort,
          isGuest,
          directories);
    }
  }
}
