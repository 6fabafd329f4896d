package org.nelumbo.simulation.cluster;

import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/**
 * Rows of a pool that may be lost: what the engine says then is taken at its word. 08007 is an
 * outcome nobody knows; anything else means that the transaction has not happened, a failed commit
 * included.
 */
final class LossTrackingSession extends ForwardingSession {
  LossTrackingSession(ClusterSession session) {
    super(session);
  }

  private static TransactionFailed lost(RuntimeException e) {
    if (e instanceof NelumboException known && known.code() == ErrorCode.OUTCOME_UNKNOWN) {
      return new TransactionFailed(TransactionFailed.Reason.UNKNOWN);
    }
    if (e instanceof FabricException) {
      return new TransactionFailed(TransactionFailed.Reason.LOST);
    }
    throw e;
  }

  @Override
  public boolean read(long id, boolean forUpdate) throws TransactionFailed {
    try {
      return super.read(id, forUpdate);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public boolean insert(long id, long value, long group, String text) throws TransactionFailed {
    try {
      return super.insert(id, value, group, text);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public boolean update(long id, long value, long group, String text) throws TransactionFailed {
    try {
      return super.update(id, value, group, text);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public boolean delete(long id) throws TransactionFailed {
    try {
      return super.delete(id);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public void scan(long low, long high, Visitor visitor) throws TransactionFailed {
    try {
      super.scan(low, high, visitor);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public void scanGroup(long group, Visitor visitor) throws TransactionFailed {
    try {
      super.scanGroup(group, visitor);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public void commit() throws TransactionFailed {
    try {
      super.commit();
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }
}
