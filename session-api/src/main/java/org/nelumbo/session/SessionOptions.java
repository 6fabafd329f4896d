package org.nelumbo.session;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The options that a session starts with; each can differ from session to session of one database.
 *
 * @param lockTimeout the longest wait for a lock under {@code WAIT_DIE}, and for the schema lock
 * @param queryTimeout the longest run of a statement that sets none itself; zero: no limit
 * @param maxStatementMemory bytes of the heap that one statement may keep rows in; 0: an eighth of
 *     the heap
 * @param maxSessionMemory bytes of the heap for all open statements and the transaction of the
 *     session; 0: a quarter of the heap
 * @param schema the schema that unqualified names mean
 * @param user who it is, for SYS.TRANSACTIONS and USER
 * @param slowQuery statements that take so long are logged; zero: none is
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

  /** Serializable, wait-die with five seconds, no query timeout, schema PUBLIC. */
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

  public SessionOptions withIsolation(Isolation value) {
    return with(draft -> draft.isolation = value);
  }

  public SessionOptions withConflictPolicy(ConflictPolicy value) {
    return with(draft -> draft.conflictPolicy = value);
  }

  public SessionOptions withLockTimeout(Duration value) {
    return with(draft -> draft.lockTimeout = value);
  }

  public SessionOptions withQueryTimeout(Duration value) {
    return with(draft -> draft.queryTimeout = value);
  }

  public SessionOptions withMaxStatementMemory(long value) {
    return with(draft -> draft.maxStatementMemory = value);
  }

  public SessionOptions withMaxSessionMemory(long value) {
    return with(draft -> draft.maxSessionMemory = value);
  }

  public SessionOptions withSchema(String value) {
    return with(draft -> draft.schema = value);
  }

  public SessionOptions withUser(String value) {
    return with(draft -> draft.user = value);
  }

  public SessionOptions withSlowQuery(Duration value) {
    return with(draft -> draft.slowQuery = value);
  }

  private SessionOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.toOptions();
  }

  /** Options, while they are being changed. */
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
