package org.nelumbo.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.nelumbo.executor.error.ErrorCode;

/**
 * The part that one connection has in a transaction of several resources. It is committed in one
 * phase: a transaction that has written cannot be kept, undecided, beyond the end of its session.
 * So {@code prepare} commits what has only read, and rolls back what has written; a transaction
 * manager that has this resource alone, or as its last one, asks for one phase by itself.
 */
final class TransactionBranch implements XAResource {
  private enum State {
    NONE,
    ACTIVE,
    SUSPENDED,
    ENDED
  }

  /** Hears that the branch has ended. */
  @FunctionalInterface
  interface EndListener {
    void ended() throws SQLException;
  }

  private final NelumboConnection connection;
  private final EndListener listener;
  private State state = State.NONE;
  private Xid xid;
  private boolean failed;
  private boolean autoCommit;

  TransactionBranch(NelumboConnection connection, EndListener listener) {
    this.connection = connection;
    this.listener = listener;
  }

  /** Whether there is a branch that only the transaction manager may end. */
  private boolean isActive() {
    return state != State.NONE;
  }

  private static XAException failure(int code, String message) {
    XAException failure = new XAException(message);
    failure.errorCode = code;
    return failure;
  }

  private static boolean same(Xid a, Xid b) {
    return a != null
        && b != null
        && a.getFormatId() == b.getFormatId()
        && Arrays.equals(a.getGlobalTransactionId(), b.getGlobalTransactionId())
        && Arrays.equals(a.getBranchQualifier(), b.getBranchQualifier());
  }

  private void require(Xid asked, State... allowed) throws XAException {
    if (!isActive() || !same(xid, asked)) {
      throw failure(XAException.XAER_NOTA, "the branch is not one of this connection");
    }
    if (!Arrays.asList(allowed).contains(state)) {
      throw failure(
          XAException.XAER_PROTO, "the branch is " + state.name().toLowerCase(Locale.ROOT));
    }
  }

  @Override
  public void start(Xid newXid, int flags) throws XAException {
    switch (flags) {
      case TMNOFLAGS -> begin(newXid);
      case TMRESUME -> {
        require(newXid, State.SUSPENDED);
        state = State.ACTIVE;
      }
      case TMJOIN -> {
        require(newXid, State.ENDED);
        state = State.ACTIVE;
      }
      default -> throw failure(XAException.XAER_INVAL, flags + " is no flag of start");
    }
  }

  private void begin(Xid newXid) throws XAException {
    if (newXid == null) {
      throw failure(XAException.XAER_INVAL, "the branch has no name");
    }
    if (isActive()) {
      throw failure(
          XAException.XAER_PROTO, "the connection works on another branch, which has not ended");
    }
    if (connection.isClosed()) {
      throw failure(XAException.XAER_RMFAIL, "the connection is closed");
    }
    if (connection.session().inTransaction()) {
      throw failure(XAException.XAER_OUTSIDE, "the connection has a transaction of its own");
    }
    try {
      autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      connection.session().setManaged(true);
    } catch (SQLException e) {
      throw lost(e);
    }
    xid = newXid;
    failed = false;
    state = State.ACTIVE;
  }

  private static XAException lost(SQLException e) {
    XAException failure = failure(XAException.XAER_RMFAIL, e.getMessage());
    failure.initCause(e);
    return failure;
  }

  @Override
  public void end(Xid itsXid, int flags) throws XAException {
    require(itsXid, State.ACTIVE, State.SUSPENDED);
    switch (flags) {
      case TMSUCCESS -> state = State.ENDED;
      case TMFAIL -> {
        failed = true;
        state = State.ENDED;
      }
      case TMSUSPEND -> {
        require(itsXid, State.ACTIVE);
        state = State.SUSPENDED;
      }
      default -> throw failure(XAException.XAER_INVAL, flags + " is no flag of end");
    }
  }

  /** Commits a branch that has only read; one that has written is rolled back. */
  @Override
  public int prepare(Xid itsXid) throws XAException {
    require(itsXid, State.ENDED);
    if (failed || connection.session().hasWritten()) {
      boolean asked = failed;
      undo();
      throw asked
          ? failure(XAException.XA_RBROLLBACK, "the branch had failed, and is rolled back")
          : failure(
              XAException.XA_RBOTHER,
              "a branch that has written is committed in one phase only, and is rolled back;"
                  + " have it as the only resource of the transaction, or as the last one");
    }
    commitNow();
    return XA_RDONLY;
  }

  @Override
  public void commit(Xid itsXid, boolean onePhase) throws XAException {
    require(itsXid, State.ENDED);
    if (!onePhase) {
      throw failure(XAException.XAER_PROTO, "the branch was not prepared");
    }
    if (failed) {
      undo();
      throw failure(XAException.XA_RBROLLBACK, "the branch had failed, and is rolled back");
    }
    commitNow();
  }

  private void commitNow() throws XAException {
    connection.session().setManaged(false);
    try {
      connection.commit();
    } catch (SQLException e) {
      ErrorCode code = SqlExceptions.code(e);
      boolean unknown = code != null && code.unknownOutcome();
      boolean again = code != null && code.isRetryable();
      XAException failure =
          failure(
              unknown
                  ? XAException.XA_HEURHAZ
                  : again ? XAException.XA_RBTRANSIENT : XAException.XA_RBOTHER,
              e.getMessage());
      failure.initCause(e);
      if (!unknown) {
        undo();
      }
      throw failure;
    } finally {
      leave();
    }
  }

  @Override
  public void rollback(Xid itsXid) throws XAException {
    require(itsXid, State.ACTIVE, State.SUSPENDED, State.ENDED);
    undo();
  }

  private void undo() throws XAException {
    connection.session().setManaged(false);
    try {
      if (!connection.isClosed()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw lost(e);
    } finally {
      leave();
    }
  }

  private void leave() throws XAException {
    if (!isActive()) {
      return;
    }
    state = State.NONE;
    xid = null;
    try {
      if (!connection.isClosed()) {
        connection.setAutoCommit(autoCommit);
        listener.ended();
      }
    } catch (SQLException e) {
      throw lost(e);
    }
  }

  /** Nothing: no branch outlives its connection. */
  @Override
  public Xid[] recover(int flags) {
    return new Xid[0];
  }

  @Override
  public void forget(Xid itsXid) throws XAException {
    throw failure(XAException.XAER_NOTA, "no branch was decided without its transaction manager");
  }

  /** Only this one: a branch is on one connection. */
  @Override
  public boolean isSameRM(XAResource other) {
    return other == this;
  }

  @Override
  public int getTransactionTimeout() {
    return 0;
  }

  /** False: the transaction manager has to watch the time itself. */
  @Override
  public boolean setTransactionTimeout(int seconds) {
    return false;
  }
}
