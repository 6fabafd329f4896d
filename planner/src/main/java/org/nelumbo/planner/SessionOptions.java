package org.nelumbo.planner;

import java.time.Duration;
import org.nelumbo.executor.lock.ConflictPolicy;
import org.nelumbo.executor.txn.Isolation;

/**
 * The options that a session starts with; each can differ from session to session of one database.
 *
 * @param lockTimeout the longest wait for a lock under {@code WAIT_DIE}, and for the schema lock
 * @param queryTimeout the longest run of a statement that sets none itself; zero: no limit
 * @param schema the schema that unqualified names mean
 * @param user who it is, for SYS.TRANSACTIONS and USER
 */
public record SessionOptions(
    Isolation isolation,
    ConflictPolicy conflictPolicy,
    Duration lockTimeout,
    Duration queryTimeout,
    String schema,
    String user,
    boolean readOnly) {

  /** Serializable, wait-die with five seconds, no query timeout, schema PUBLIC. */
  public static SessionOptions defaults() {
    return new SessionOptions(
        Isolation.SERIALIZABLE,
        ConflictPolicy.WAIT_DIE,
        Duration.ofSeconds(5),
        Duration.ZERO,
        "PUBLIC",
        "NELUMBO",
        false);
  }

  public SessionOptions withIsolation(Isolation value) {
    return new SessionOptions(
        value, conflictPolicy, lockTimeout, queryTimeout, schema, user, readOnly);
  }

  public SessionOptions withConflictPolicy(ConflictPolicy value) {
    return new SessionOptions(isolation, value, lockTimeout, queryTimeout, schema, user, readOnly);
  }

  public SessionOptions withLockTimeout(Duration value) {
    return new SessionOptions(
        isolation, conflictPolicy, value, queryTimeout, schema, user, readOnly);
  }

  public SessionOptions withQueryTimeout(Duration value) {
    return new SessionOptions(
        isolation, conflictPolicy, lockTimeout, value, schema, user, readOnly);
  }

  public SessionOptions withSchema(String value) {
    return new SessionOptions(
        isolation, conflictPolicy, lockTimeout, queryTimeout, value, user, readOnly);
  }

  public SessionOptions withUser(String value) {
    return new SessionOptions(
        isolation, conflictPolicy, lockTimeout, queryTimeout, schema, value, readOnly);
  }

  public SessionOptions withReadOnly(boolean value) {
    return new SessionOptions(
        isolation, conflictPolicy, lockTimeout, queryTimeout, schema, user, value);
  }
}
