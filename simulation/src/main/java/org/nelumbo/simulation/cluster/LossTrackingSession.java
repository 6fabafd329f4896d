package org.nelumbo.simulation.cluster;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.instrument.Injected;

/**
 * A session on a pool that may be lost. It takes the errors of the engine at face value: 08007
 * means an unknown outcome; any other error means that the transaction has not happened, even if
 * its commit failed. A throwable injected at a line of the engine breaks the session.
 */
final class LossTrackingSession extends ForwardingSession {
  LossTrackingSession(ClusterSession session) {
    super(session);
  }

  private static TransactionFailed lost(Throwable e, boolean committing) {
    if (e instanceof NelumboException known && known.code() == ErrorCode.OUTCOME_UNKNOWN) {
      return new TransactionFailed(TransactionFailed.Reason.UNKNOWN);
    }
    if (TransactionFailed.isLoss(e)) {
      return new TransactionFailed(TransactionFailed.Reason.LOST);
    }
    if (Injected.isCauseOf(e)) {
      return new TransactionFailed(
          committing ? TransactionFailed.Reason.BROKEN_COMMIT : TransactionFailed.Reason.BROKEN);
    }
    LossTrackingSession.<RuntimeException>raise(e);
    throw new AssertionError(e);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public boolean read(long id, boolean forUpdate) throws TransactionFailed {
    try {
      return super.read(id, forUpdate);
    } catch (RuntimeException | Error e) {
      throw lost(e, false);
    }
  }

  @Override
  public boolean readAlone(Isolation isolation, long id, Runnable found) throws TransactionFailed {
    try {
      return super.readAlone(isolation, id, found);
    } catch (RuntimeException | Error e) {
      throw lost(e, false);
    }
  }

  @Override
  public void readTogether(Isolation isolation, int count, Visitor visitor)
      throws TransactionFailed {
    try {
      super.readTogether(isolation, count, visitor);
    } catch (RuntimeException | Error e) {
      throw lost(e, false);
    }
  }

  @Override
  public boolean insert(long id, long value, long group, String text) throws TransactionFailed {
    try {
      return super.insert(id, value, group, text);
    } catch (RuntimeException | Error e) {
      throw lost(e, false);
    }
  }

  @Override
  public boolean update(long id, long value, long group, String text) throws TransactionFailed {
    try {
      return super.update(id, value, group, text);
    } catch (RuntimeException | Error e) {
      throw lost(e, false);
    }
  }

  @Override
  public boolean delete(long id) throws TransactionFailed {
    try {
      return super.delete(id);
    } catch (RuntimeException | Error e) {
      throw lost(e, false);
    }
  }

  @Override
  public void scan(long low, long high, Visitor visitor) throws TransactionFailed {
    try {
      super.scan(low, high, visitor);
    } catch (RuntimeException | Error e) {
      throw lost(e, false);
    }
  }

  @Override
  public void scanGroup(long group, Visitor visitor) throws TransactionFailed {
    try {
      super.scanGroup(group, visitor);
    } catch (RuntimeException | Error e) {
      throw lost(e, false);
    }
  }

  @Override
  public void commit() throws TransactionFailed {
    try {
      super.commit();
    } catch (RuntimeException | Error e) {
      throw lost(e, true);
    }
  }
}
