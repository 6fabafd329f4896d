package org.nelumbo.simulation.cluster;

import org.nelumbo.session.Isolation;

/** Base class of decorators of a session; it forwards all calls. */
abstract class ForwardingSession implements ClusterSession {
  private final ClusterSession session;

  ForwardingSession(ClusterSession session) {
    this.session = session;
  }

  @Override
  public void readTogether(Isolation isolation, int count, Visitor visitor)
      throws TransactionFailed {
    session.readTogether(isolation, count, visitor);
  }

  @Override
  public void begin(Isolation isolation, boolean readOnly) {
    session.begin(isolation, readOnly);
  }

  @Override
  public void beginCut() {
    session.beginCut();
  }

  @Override
  public boolean read(long id, boolean forUpdate) throws TransactionFailed {
    return session.read(id, forUpdate);
  }

  @Override
  public boolean readAlone(Isolation isolation, long id, Runnable found) throws TransactionFailed {
    return session.readAlone(isolation, id, found);
  }

  @Override
  public long value() {
    return session.value();
  }

  @Override
  public long group() {
    return session.group();
  }

  @Override
  public String text() {
    return session.text();
  }

  @Override
  public boolean insert(long id, long value, long group, String text) throws TransactionFailed {
    return session.insert(id, value, group, text);
  }

  @Override
  public boolean update(long id, long value, long group, String text) throws TransactionFailed {
    return session.update(id, value, group, text);
  }

  @Override
  public boolean delete(long id) throws TransactionFailed {
    return session.delete(id);
  }

  @Override
  public void scan(long low, long high, Visitor visitor) throws TransactionFailed {
    session.scan(low, high, visitor);
  }

  @Override
  public void scanGroup(long group, Visitor visitor) throws TransactionFailed {
    session.scanGroup(group, visitor);
  }

  @Override
  public void commit() throws TransactionFailed {
    session.commit();
  }

  @Override
  public void abort() {
    session.abort();
  }

  @Override
  public void close() {
    session.close();
  }
}
