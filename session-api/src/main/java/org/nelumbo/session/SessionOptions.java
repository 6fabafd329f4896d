package org.nelumbo.session;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The initial options of a session. Sessions of one database can have different options.
 *
 * @param isolation isolation level of the transactions
 * @param conflictPolicy policy for locks held by other transactions
 * @param lockTimeout maximum wait for a lock under {@code WAIT_DIE}, and for the schema lock
 * @param queryTimeout time limit of a statement that does not set one; zero for no limit
 * @param maxStatementMemory maximum heap memory for the rows that a statement buffers, in bytes; 0
 *     for an eighth of the heap
 * @param maxSessionMemory maximum heap memory for all open statements and the transaction of the
 *     session, in bytes; 0 for a quarter of the heap
 * @param schema schema of unqualified names
 * @param user name of the user, shown by SYS.TRANSACTIONS and USER
 * @param readOnly true to start in read-only mode
 * @param slowQuery minimum duration of a statement that is logged as slow; zero for no logging
 */
public record SessionOptions(
    Isolation isolation,
    ConflictPolicy conflictPolicy,
    Duration lockTimeout,
    Duration queryTimeout,
    long maxStatementMemory,
    long maxSessionMemory,
    String schema,
    String user,
    boolean readOnly,
    Duration slowQuery) {

  /**
   * Returns the default options: serializable, wait-die with a lock timeout of five seconds, no
   * query timeout, schema PUBLIC.
   */
  public static SessionOptions defaults() {
    return new SessionOptions(
        Isolation.SERIALIZABLE,
        ConflictPolicy.WAIT_DIE,
        Duration.ofSeconds(5),
        Duration.ZERO,
        0,
        0,
        "PUBLIC",
        "NELUMBO",
        false,
        Duration.ZERO);
  }

  /** Returns these options with another isolation level. */
  public SessionOptions withIsolation(Isolation value) {
    return with(draft -> draft.isolation = value);
  }

  /** Returns these options with another conflict policy. */
  public SessionOptions withConflictPolicy(ConflictPolicy value) {
    return with(draft -> draft.conflictPolicy = value);
  }

  /** Returns these options with another lock timeout. */
  public SessionOptions withLockTimeout(Duration value) {
    return with(draft -> draft.lockTimeout = value);
  }

  /** Returns these options with another query timeout; zero for no limit. */
  public SessionOptions withQueryTimeout(Duration value) {
    return with(draft -> draft.queryTimeout = value);
  }

  /** Returns these options with another memory limit of a statement, in bytes. */
  public SessionOptions withMaxStatementMemory(long value) {
    return with(draft -> draft.maxStatementMemory = value);
  }

  /** Returns these options with another memory limit of the session, in bytes. */
  public SessionOptions withMaxSessionMemory(long value) {
    return with(draft -> draft.maxSessionMemory = value);
  }

  /** Returns these options with another schema of unqualified names. */
  public SessionOptions withSchema(String value) {
    return with(draft -> draft.schema = value);
  }

  /** Returns these options with another user name. */
  public SessionOptions withUser(String value) {
    return with(draft -> draft.user = value);
  }

  /** Returns these options with another threshold for slow statements; zero for no logging. */
  public SessionOptions withSlowQuery(Duration value) {
    return with(draft -> draft.slowQuery = value);
  }

  private SessionOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.toOptions();
  }

  /** A mutable copy of the options. */
  private static final class Draft {
    private Isolation isolation;
    private ConflictPolicy conflictPolicy;
    private Duration lockTimeout;
    private Duration queryTimeout;
    private long maxStatementMemory;
    private long maxSessionMemory;
    private String schema;
    private String user;
    private boolean readOnly;
    private Duration slowQuery;

    Draft(SessionOptions of) {
      this.isolation = of.isolation;
      this.conflictPolicy = of.conflictPolicy;
      this.lockTimeout = of.lockTimeout;
      this.queryTimeout = of.queryTimeout;
      this.maxStatementMemory = of.maxStatementMemory;
      this.maxSessionMemory = of.maxSessionMemory;
      this.schema = of.schema;
      this.user = of.user;
      this.readOnly = of.readOnly;
      this.slowQuery = of.slowQuery;
    }

    SessionOptions toOptions() {
      return new SessionOptions(
          isolation,
          conflictPolicy,
          lockTimeout,
          queryTimeout,
          maxStatementMemory,
          maxSessionMemory,
          schema,
          user,
          readOnly,
          slowQuery);
    }
  }
}
