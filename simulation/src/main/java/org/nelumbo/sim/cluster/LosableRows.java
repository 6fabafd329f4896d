package org.nelumbo.sim.cluster;

import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Isolation;

/**
 * Rows of a pool that may be lost: what the engine says then is taken at its word. 08007 is an
 * outcome nobody knows; anything else means that the transaction has not happened, a failed commit
 * included.
 */
final class LosableRows implements Rows {
  private final Rows rows;

  LosableRows(Rows rows) {
    this.rows = rows;
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
  public void begin(Isolation isolation, boolean readOnly) {
    rows.begin(isolation, readOnly);
  }

  @Override
  public boolean read(long id, boolean forUpdate) throws TransactionFailed {
    try {
      return rows.read(id, forUpdate);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public long value() {
    return rows.value();
  }

  @Override
  public long group() {
    return rows.group();
  }

  @Override
  public String text() {
    return rows.text();
  }

  @Override
  public boolean insert(long id, long value, long group, String text) throws TransactionFailed {
    try {
      return rows.insert(id, value, group, text);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public boolean update(long id, long value, long group, String text) throws TransactionFailed {
    try {
      return rows.update(id, value, group, text);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public boolean delete(long id) throws TransactionFailed {
    try {
      return rows.delete(id);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public void scan(long low, long high, Visitor visitor) throws TransactionFailed {
    try {
      rows.scan(low, high, visitor);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public void scanGroup(long group, Visitor visitor) throws TransactionFailed {
    try {
      rows.scanGroup(group, visitor);
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public void commit() throws TransactionFailed {
    try {
      rows.commit();
    } catch (FabricException | NelumboException e) {
      throw lost(e);
    }
  }

  @Override
  public void abort() {
    rows.abort();
  }

  @Override
  public void close() {
    rows.close();
  }
}
