package org.nelumbo.jdbc.url;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.dm.fabric.rdma.VerbsProvider;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.SessionOptions;

/**
 * A parsed URL {@code jdbc:nelumbo:PLACE?key=value&key=value}; {@code PLACE} is a {@link
 * PoolLocation}. Values in the URL override properties that are passed separately. Keys are not
 * case-sensitive.
 */
public final class ConnectionUrl {
  public static final String PREFIX = "jdbc:nelumbo:";

  private static final int WITNESSES_MAX = 8;

  private static final Duration LEASE_MIN = Duration.ofSeconds(1);

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,100})\\s*(ms|s|m|h)?");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,100})\\s*([kmgt]?)b?");

  /** Keeps durations small enough that their nanoseconds can be added to any clock value. */
  private static final long DURATION_MAX_MILLIS = TimeUnit.DAYS.toMillis(36_500);

  private static final long SIZE_MAX = 1L << 50;

  private final PoolLocation location;
  private final Map<ConnectionProperty, String> values;

  private ConnectionUrl(PoolLocation location, Map<ConnectionProperty, String> values) {
    this.location = location;
    this.values = values;
  }

  public static ConnectionUrl parse(String url, Properties properties) throws SQLException {
    String rest = url.substring(PREFIX.length());
    int question = rest.indexOf('?');
    String location = question < 0 ? rest : rest.substring(0, question);
    Map<ConnectionProperty, String> values = new EnumMap<>(ConnectionProperty.class);
    if (properties != null) {
      for (String key : properties.stringPropertyNames()) {
        put(values, key, properties.getProperty(key));
      }
    }
    if (question >= 0) {
      for (String pair : rest.substring(question + 1).split("[&;]", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
          throw bad("'" + pair + "' in the URL is not of the form key=value");
        }
        put(values, pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return new ConnectionUrl(PoolLocation.parse(location), values);
  }

  /** An empty user name is ignored, because some tools pass it for no user. */
  private static void put(Map<ConnectionProperty, String> values, String key, String value)
      throws SQLException {
    ConnectionProperty property = ConnectionProperty.of(key);
    if (property == ConnectionProperty.USER && value.isEmpty()) {
      return;
    }
    property.check(value);
    values.put(property, value);
  }

  private static SQLException bad(String message) {
    return SqlExceptions.of(ErrorCode.CONNECTION_FAILED, message);
  }

  /** Returns a key for the requested properties; equal for two URLs that request the same. */
  public Object request() {
    return Map.copyOf(values);
  }

  /** Returns the location of the pool. */
  public PoolLocation location() {
    return location;
  }

  /** Returns the secrets of the memory nodes, from the property or from a file. */
  public Secrets secrets() throws SQLException {
    String password = value(ConnectionProperty.PASSWORD);
    String file = value(ConnectionProperty.SECRET_FILE);
    if (file.isEmpty()) {
      return Secrets.of(password);
    }
    if (!password.isEmpty()) {
      throw bad(
          "connection properties password and secretFile exclude each other: set one of them");
    }
    try {
      return Secrets.ofFile(Path.of(file));
    } catch (IOException | InvalidPathException e) {
      throw bad("bad value '" + file + "' of connection property secretFile: " + e.getMessage());
    }
  }

  /** Returns the TLS settings of connections to memory nodes, or null if they are not encrypted. */
  public Tls tls() throws SQLException {
    if (!value(ConnectionProperty.TLS).equalsIgnoreCase("true")) {
      for (ConnectionProperty property :
          List.of(
              ConnectionProperty.TLS_TRUST,
              ConnectionProperty.TLS_CERT,
              ConnectionProperty.TLS_KEY)) {
        if (!value(property).isEmpty()) {
          throw bad(
              "connection property "
                  + property.key()
                  + " is for encrypted connections: set tls=true, too");
        }
      }
      return null;
    }
    Path certificate = file(ConnectionProperty.TLS_CERT);
    Path key = file(ConnectionProperty.TLS_KEY);
    if ((certificate == null) != (key == null)) {
      throw bad("connection properties tlsCert and tlsKey belong together: set both, or neither");
    }
    try {
      return Tls.ofClient(file(ConnectionProperty.TLS_TRUST), certificate, key);
    } catch (IOException e) {
      throw bad("bad value of connection property tlsTrust, tlsCert or tlsKey: " + e.getMessage());
    }
  }

  /** Returns the RDMA device that performs the verbs, or null if they are sent over TCP. */
  public DeviceName rdma() throws SQLException {
    String text = value(ConnectionProperty.RDMA_DEVICE);
    if (!location.isRdma() && !text.isEmpty()) {
      throw bad("rdmaDevice= is for a pool over RDMA: jdbc:nelumbo:rdma://HOST:PORT/NAME");
    }
    if (!location.isRdma() && values.containsKey(ConnectionProperty.PROVIDER)) {
      throw bad("provider= is for a pool over RDMA: jdbc:nelumbo:rdma://HOST:PORT/NAME");
    }
    try {
      VerbsProvider provider = VerbsProvider.parse(value(ConnectionProperty.PROVIDER));
      return location.isRdma() ? DeviceName.parse(text).with(provider) : null;
    } catch (IllegalArgumentException e) {
      throw bad("bad value of connection property rdmaDevice: " + e.getMessage());
    }
  }

  private Path file(ConnectionProperty property) throws SQLException {
    String text = value(property);
    try {
      return text.isEmpty() ? null : Path.of(text);
    } catch (InvalidPathException e) {
      throw bad(
          "bad value '"
              + text
              + "' of connection property "
              + property.key()
              + ": "
              + e.getMessage());
    }
  }

  /**
   * Returns the requested size and number of nodes of a pool in shared files; each is 0 if absent.
   */
  public SharedMemory.Wanted wantedPool() throws SQLException {
    boolean isSizeGiven = values.containsKey(ConnectionProperty.MEMORY);
    return new SharedMemory.Wanted(isSizeGiven ? databaseOptions().memoryBytes() : 0, nodes());
  }

  /** Returns how long this process may miss heartbeats while it shares a pool in shared files. */
  public Duration lease() throws SQLException {
    Duration lease = duration(ConnectionProperty.LEASE);
    if (lease.compareTo(LEASE_MIN) < 0) {
      throw badValue(ConnectionProperty.LEASE, "a lease must be at least one second");
    }
    return lease;
  }

  private int nodes() throws SQLException {
    String text = value(ConnectionProperty.NODES);
    if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > 256) {
      throw bad(
          "bad value '" + text + "' of connection property nodes; it is a number from 1 to 256");
    }
    return Integer.parseInt(text);
  }

  private int minCopies() throws SQLException {
    String text = value(ConnectionProperty.MIN_COPIES);
    if (!text.matches("[1-9][0-9]?") || Integer.parseInt(text) > 64) {
      throw bad(
          "bad value '" + text + "' of connection property minCopies; it is a number from 1 to 64");
    }
    return Integer.parseInt(text);
  }

  /** Returns the port on which other compute nodes reach this one, 0 for any, or -1 for none. */
  private int peerPort() throws SQLException {
    String text = value(ConnectionProperty.PEER_PORT);
    if (!text.matches("-1|[0-9]{1,5}") || Integer.parseInt(text) > 65_535) {
      throw bad(
          "bad value '"
              + text
              + "' of connection property peerPort; it is a number from 0 to 65535, or -1");
    }
    return Integer.parseInt(text);
  }

  /** Returns the number of copies of everything, or 0 if the property is absent. */
  public int replicas() throws SQLException {
    String text = value(ConnectionProperty.REPLICAS);
    if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > 64) {
      throw bad(
          "bad value '" + text + "' of connection property replicas; it is a number from 1 to 64");
    }
    return Integer.parseInt(text);
  }

  /** Returns the memory nodes without data that vote with the others about membership. */
  public List<NodeAddress> witnesses() throws SQLException {
    List<NodeAddress> witnesses = new ArrayList<>();
    String text = value(ConnectionProperty.WITNESS);
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      try {
        NodeAddress address = NodeAddress.parse(each);
        if (witnesses.contains(address) || location.nodes().contains(each)) {
          throw bad("witness " + each + " is named twice, or is one of the memory nodes");
        }
        witnesses.add(address);
      } catch (IllegalArgumentException e) {
        throw bad("bad value of connection property witness: " + e.getMessage());
      }
    }
    if (witnesses.size() > WITNESSES_MAX) {
      throw bad("there may be " + WITNESSES_MAX + " witnesses, not " + witnesses.size());
    }
    return witnesses;
  }

  /**
   * Returns whether the pool must exist, and its expected id.
   *
   * @param remembered id of the pool that this process had open at this location before; 0 if none
   */
  public PoolExpectation expectation(long remembered) throws SQLException {
    PoolExpectation expectation =
        switch (value(ConnectionProperty.CREATE).toLowerCase(Locale.ROOT)) {
          case "true" -> PoolExpectation.ANY;
          case "false" -> PoolExpectation.EXISTING;
          case "new" -> PoolExpectation.ABSENT;
          default -> location.nodes().isEmpty() ? PoolExpectation.ANY : PoolExpectation.EXISTING;
        };
    String id = value(ConnectionProperty.POOL_ID);
    if (id.isEmpty()) {
      return expectation.of(remembered, true);
    }
    try {
      return expectation.of(PoolExpectation.parse(id), false);
    } catch (NumberFormatException e) {
      throw bad(
          "bad value '"
              + id
              + "' of connection property poolId; it has 16 hexadecimal digits, as nelumbo status"
              + " and SYS.POOL show them");
    }
  }

  /** Rejects properties of a persistent pool for a pool that ends with the process. */
  public void checkEmbedded() throws SQLException {
    if (value(ConnectionProperty.CREATE).equalsIgnoreCase("false")
        || !value(ConnectionProperty.POOL_ID).isEmpty()) {
      throw bad(
          "create=false and poolId= are for pools that outlive the process; a pool in its"
              + " memory is always new: omit them");
    }
  }

  private boolean isForced() {
    return value(ConnectionProperty.RECOVER).equalsIgnoreCase("force");
  }

  /** Rejects copies, witnesses and forced recovery for a pool that is not on memory nodes. */
  public void checkSingleCopy() throws SQLException {
    if (isForced()) {
      throw bad(
          "recover=force is for pools with copies on memory nodes; a pool on this machine"
              + " has one copy, and is always recovered as far as possible: omit it");
    }
    if (minCopies() > 1) {
      throw bad(
          "a pool on this machine has one copy; minCopies="
              + minCopies()
              + " needs memory nodes: jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME");
    }
    if (!witnesses().isEmpty()) {
      throw bad(
          "witness= is for pools with copies on memory nodes:"
              + " jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME");
    }
    if (replicas() > 1) {
      throw bad(
          "a pool on this machine has one copy; replicas="
              + replicas()
              + " needs memory nodes: jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME");
    }
  }

  /** Returns the URL without properties, hence without password. */
  public String text() {
    return PREFIX + location.text();
  }

  public String user() {
    return value(ConnectionProperty.USER);
  }

  /**
   * Returns the isolation level of new connections as a constant of {@code java.sql.Connection}.
   */
  public int defaultIsolation() {
    return value(ConnectionProperty.ISOLATION).equalsIgnoreCase("serializable")
        ? Connection.TRANSACTION_SERIALIZABLE
        : Connection.TRANSACTION_REPEATABLE_READ;
  }

  private String value(ConnectionProperty property) {
    return values.getOrDefault(property, property.defaultValue());
  }

  public DatabaseOptions databaseOptions() throws SQLException {
    String shownName = location.isPrivate() ? "private" : location.name();
    return DatabaseOptions.defaults()
        .withName(shownName)
        .withMemoryBytes(size(ConnectionProperty.MEMORY))
        .withVersions(versions())
        .withProtocol(value(ConnectionProperty.PROTOCOL).toLowerCase(Locale.ROOT))
        .withCountVerbs(value(ConnectionProperty.COUNTERS).equalsIgnoreCase("true"))
        .withForceRecovery(isForced())
        .withMinCopies(minCopies())
        .withPeerPort(peerPort())
        .withGuest(!value(ConnectionProperty.GUEST).equalsIgnoreCase("false"))
        .withSnapshotRetention(duration(ConnectionProperty.SNAPSHOT_RETENTION))
        .withRecordCacheBytes(size(ConnectionProperty.RECORD_CACHE))
        .withRedo(redoOptions().withArchive(archive()));
  }

  private Supplier<Disk> archive() throws SQLException {
    String text = value(ConnectionProperty.ARCHIVE);
    if (text.isEmpty()) {
      return null;
    }
    if (!location.isDirectory()) {
      throw bad("archive= is for a database in files: jdbc:nelumbo:file:DIRECTORY; omit it");
    }
    Path directory;
    try {
      directory = Path.of(text).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw badValue(ConnectionProperty.ARCHIVE, "it is not a path: " + e.getReason());
    }
    return () -> DirectoryDisk.openAnywhere(directory, "a database, as its archive");
  }

  private RedoOptions redoOptions() throws SQLException {
    String text = value(ConnectionProperty.DURABILITY).toLowerCase(Locale.ROOT);
    if (!text.isEmpty() && !location.isDirectory()) {
      throw bad("durability= is for a database in files: jdbc:nelumbo:file:DIRECTORY; omit it");
    }
    RedoOptions options = RedoOptions.DEFAULT;
    if (text.startsWith("interval=")) {
      Duration interval =
          duration(ConnectionProperty.DURABILITY, text.substring("interval=".length()));
      if (interval.isZero()) {
        throw badValue(ConnectionProperty.DURABILITY, "an interval must be longer");
      }
      return options.withDurability(Durability.INTERVAL).withIntervalNanos(interval.toNanos());
    }
    return switch (text) {
      case "", "commit" -> options;
      case "interval" -> options.withDurability(Durability.INTERVAL);
      case "none" -> options.withDurability(Durability.NONE);
      default ->
          throw badValue(
              ConnectionProperty.DURABILITY, "choose from commit, interval=20ms and none");
    };
  }

  public SessionOptions sessionOptions() throws SQLException {
    return SessionOptions.defaults()
        .withIsolation(
            Isolation.valueOf(value(ConnectionProperty.ISOLATION).toUpperCase(Locale.ROOT)))
        .withConflictPolicy(
            ConflictPolicy.valueOf(
                value(ConnectionProperty.CONFLICT).toUpperCase(Locale.ROOT).replace('-', '_')))
        .withLockTimeout(duration(ConnectionProperty.LOCK_TIMEOUT))
        .withQueryTimeout(duration(ConnectionProperty.QUERY_TIMEOUT))
        .withMaxStatementMemory(size(ConnectionProperty.MAX_STATEMENT_MEMORY))
        .withMaxSessionMemory(size(ConnectionProperty.MAX_SESSION_MEMORY))
        .withSlowQuery(duration(ConnectionProperty.SLOW_QUERY_MILLIS))
        .withSchema(value(ConnectionProperty.SCHEMA))
        .withUser(value(ConnectionProperty.USER));
  }

  private int versions() throws SQLException {
    String text = value(ConnectionProperty.VERSIONS);
    if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 16) {
      throw bad(
          "bad value '" + text + "' of connection property versions; it is a number from 1 to 16");
    }
    return Integer.parseInt(text);
  }

  private SQLException badValue(ConnectionProperty property, String advice) {
    return bad(
        "bad value '"
            + value(property)
            + "' of connection property "
            + property.key()
            + "; "
            + advice);
  }

  private Duration duration(ConnectionProperty property) throws SQLException {
    return duration(property, value(property));
  }

  private Duration duration(ConnectionProperty property, String text) throws SQLException {
    Matcher matcher = DURATION.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw badValue(property, "write for example 500ms, 5s or 10m");
    }
    String unit = matcher.group(2) == null ? "ms" : matcher.group(2);
    long one =
        switch (unit) {
          case "s" -> TimeUnit.SECONDS.toMillis(1);
          case "m" -> TimeUnit.MINUTES.toMillis(1);
          case "h" -> TimeUnit.HOURS.toMillis(1);
          default -> 1;
        };
    long most = DURATION_MAX_MILLIS / one;
    return Duration.ofMillis(one * amount(property, matcher.group(1), most, most + unit));
  }

  private long size(ConnectionProperty property) throws SQLException {
    Matcher matcher = SIZE.matcher(value(property).toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw badValue(property, "write for example 512m or 16g");
    }
    int power = matcher.group(2).isEmpty() ? 0 : "kmgt".indexOf(matcher.group(2)) + 1;
    long most = SIZE_MAX >> (10 * power);
    return amount(property, matcher.group(1), most, "1024t") << (10 * power);
  }

  private long amount(ConnectionProperty property, String digits, long most, String shownMost)
      throws SQLException {
    BigInteger amount = new BigInteger(digits);
    if (amount.compareTo(BigInteger.valueOf(most)) > 0) {
      throw badValue(property, "it is at most " + shownMost);
    }
    return amount.longValue();
  }
}
