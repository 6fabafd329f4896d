package org.nelumbo.jdbc.url;

import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;

/** The connection properties with their defaults and descriptions. */
public enum ConnectionProperty {
  ISOLATION("isolation", "serializable", "serializable or snapshot", "serializable", "snapshot"),
  PROTOCOL("protocol", "lotus", "the transaction protocol of the database"),
  CONFLICT(
      "conflict",
      "wait-die",
      "behaviour when another transaction holds a lock: wait-die or no-wait",
      "wait-die",
      "no-wait"),
  LOCK_TIMEOUT("lockTimeout", "5s", "longest wait for a lock, for example 500ms or 5s"),
  QUERY_TIMEOUT("queryTimeout", "0", "longest run of a statement, 0 for no limit"),
  MAX_STATEMENT_MEMORY(
      "maxStatementMemory",
      "0",
      "heap memory for the rows of one statement before it uses temporary files, for"
          + " example 64m; 0 for an eighth of the heap"),
  MAX_SESSION_MEMORY(
      "maxSessionMemory",
      "0",
      "heap memory for all open statements and the transaction of a connection; 0 for a quarter of"
          + " the heap"),
  SLOW_QUERY_MILLIS(
      "slowQueryMillis",
      "0",
      "statements that take at least this many milliseconds are logged, 0 for none"),
  SNAPSHOT_RETENTION("snapshotRetention", "10m", "how long a snapshot keeps old versions alive"),
  MEMORY(
      "memory",
      "4g",
      "size of the pool of an embedded database or of a new pool; only used pages take"
          + " memory"),
  NODES("nodes", "0", "memory nodes of a new pool in shared files (shm:), 0 for one"),
  CREATE(
      "create",
      "",
      "whether to create a missing pool: true, false, or new (it must not exist yet); by"
          + " default, only in files (file:, shm:)",
      "true",
      "false",
      "new"),
  DURABILITY(
      "durability",
      "",
      "when a commit to a database in files (file:) is acknowledged: commit (default),"
          + " when it is on the disk; interval=20ms, at once, and on the disk within that time;"
          + " none, at once"),
  ARCHIVE(
      "archive",
      "",
      "directory to which the log of a database in files (file:) is copied, 16 MiB at a"
          + " time, for point-in-time restores; without it, the log is removed after checkpoints"),
  POOL_ID("poolId", "", "the id that the pool must have, as nelumbo status and SYS.POOL show it"),
  REPLICAS(
      "replicas",
      "0",
      "copies of all data on different memory nodes; 0 for as many as the pool has, three"
          + " in a new one with three nodes or more"),
  MIN_COPIES(
      "minCopies",
      "1",
      "live copies of a pool on memory nodes below which commits are refused with 53000"),
  WITNESS(
      "witness",
      "",
      "HOST:PORT of a memory node without data (nelumbo memory-node --witness) that votes"
          + " with the others on which nodes continue; separate several by commas"),
  RECOVER(
      "recover",
      "safe",
      "force: attach to a pool with copies although too few of its memory nodes have their"
          + " previous memory; commits that these lack are lost",
      "safe",
      "force"),
  RECORD_CACHE(
      "recordCache", "64m", "memory for cached rows if the pool is across a network, 0 for none"),
  LEASE(
      "lease",
      "30s",
      "how long this process may miss heartbeats, for example in a debugger, before"
          + " another one that has attached the same pool in shared files (shm:) kills it"),
  PEER_PORT(
      "peerPort",
      "0",
      "the port at which other processes that share the pool reach this one, unless"
          + " tls=true: 0 for any free port, -1 for none; then all messages go through memory"
          + " nodes"),
  GUEST(
      "guest",
      "true",
      "whether this process owns no locks if other members of the pool can; false for"
          + " nelumbo compute-node",
      "true",
      "false"),
  VERSIONS("versions", "2", "versions in the version table of a row, 1 to 16"),
  COUNTERS(
      "counters",
      "false",
      "whether sessions of an embedded database count their round trips, verbs and bytes",
      "true",
      "false"),
  SCHEMA("schema", "PUBLIC", "the schema of unqualified names"),
  USER("user", "NELUMBO", "user name"),
  PASSWORD("password", "", "the secret of the memory nodes; embedded databases do not check it"),
  TLS("tls", "false", "whether the connections to memory nodes are encrypted", "true", "false"),
  TLS_TRUST(
      "tlsTrust",
      "",
      "file of the certificates to trust, in PEM format; default: those the JVM trusts"),
  SECRET_FILE(
      "secretFile",
      "",
      "file with the secret of the memory nodes, instead of password; a second line can"
          + " hold its successor"),
  TLS_CERT(
      "tlsCert",
      "",
      "file of this process's certificate, in PEM format, if memory nodes require one"),
  TLS_KEY("tlsKey", "", "file of the private key that belongs to it, PKCS #8 in PEM format"),
  RDMA_DEVICE(
      "rdmaDevice",
      "",
      "the RDMA device of this machine for a pool over RDMA (rdma:), as DEVICE or"
          + " DEVICE:GID; default: the first with an active port"),
  PROVIDER(
      "provider",
      "ibverbs",
      "the library through which a pool over RDMA (rdma:) is used",
      "ibverbs",
      "disni");

  private final String key;
  private final String defaultValue;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes it immutable
  private final List<String> choices;

  ConnectionProperty(String key, String defaultValue, String description, String... choices) {
    this.key = key;
    this.defaultValue = defaultValue;
    this.description = description;
    this.choices = List.of(choices);
  }

  public String key() {
    return key;
  }

  public String defaultValue() {
    return defaultValue;
  }

  /** Returns the property with a key, ignoring case. */
  static ConnectionProperty of(String key) throws SQLException {
    for (ConnectionProperty property : values()) {
      if (property.key.equalsIgnoreCase(key)) {
        return property;
      }
    }
    String known =
        Arrays.stream(values()).map(ConnectionProperty::key).collect(Collectors.joining(", "));
    throw SqlExceptions.of(
        ErrorCode.CONNECTION_FAILED,
        "unknown connection property '" + key + "'; known are " + known);
  }

  void check(String value) throws SQLException {
    if (!choices.isEmpty()
        && !value.equals(defaultValue)
        && !choices.contains(value.toLowerCase(Locale.ROOT))) {
      throw SqlExceptions.of(
          ErrorCode.CONNECTION_FAILED,
          "bad value '"
              + value
              + "' of connection property "
              + key
              + "; choose from "
              + String.join(", ", choices));
    }
  }

  public DriverPropertyInfo info(String value) {
    DriverPropertyInfo info = new DriverPropertyInfo(key, value == null ? defaultValue : value);
    info.description = description;
    info.choices = choices.isEmpty() ? null : choices.toArray(String[]::new);
    return info;
  }
}
