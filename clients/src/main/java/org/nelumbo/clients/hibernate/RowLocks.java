package org.nelumbo.clients.hibernate;

import jakarta.persistence.Timeout;
import org.hibernate.Timeouts;
import org.hibernate.dialect.RowLockStrategy;
import org.hibernate.dialect.lock.PessimisticLockStyle;
import org.hibernate.dialect.lock.spi.ConnectionLockTimeoutStrategy;
import org.hibernate.dialect.lock.spi.LockTimeoutType;
import org.hibernate.dialect.lock.spi.LockingSupport;
import org.hibernate.dialect.lock.spi.OuterJoinLockingType;

/**
 * FOR UPDATE [OF tables] [NOWAIT | SKIP LOCKED]; the lock timeout is a property of the connection.
 */
final class RowLocks implements LockingSupport, LockingSupport.Metadata {
  private static final RowLocks INSTANCE = new RowLocks();

  private RowLocks() {}

  /** Returns the instance. Because of the return type, the verifier does not load the interface. */
  static LockingSupport support() {
    return INSTANCE;
  }

  @Override
  public Metadata getMetadata() {
    return this;
  }

  @Override
  public ConnectionLockTimeoutStrategy getConnectionLockTimeoutStrategy() {
    return ConnectionLockTimeoutStrategy.NONE;
  }

  @Override
  public PessimisticLockStyle getPessimisticLockStyle() {
    return PessimisticLockStyle.CLAUSE;
  }

  @Override
  public LockTimeoutType getLockTimeoutType(Timeout timeout) {
    int milliseconds = timeout.milliseconds();
    return milliseconds == Timeouts.NO_WAIT_MILLI || milliseconds == Timeouts.SKIP_LOCKED_MILLI
        ? LockTimeoutType.QUERY
        : LockTimeoutType.NONE;
  }

  @Override
  public RowLockStrategy getReadRowLockStrategy() {
    return RowLockStrategy.TABLE;
  }

  @Override
  public RowLockStrategy getWriteRowLockStrategy() {
    return RowLockStrategy.TABLE;
  }

  @Override
  public OuterJoinLockingType getOuterJoinLockingType() {
    return OuterJoinLockingType.FULL;
  }
}
