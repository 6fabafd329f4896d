package org.nelumbo.simulation.cluster;

/** A session that verifies the structures of the engine after some of its transactions. */
final class VerifyingSession extends ForwardingSession {
  private final Cluster cluster;

  VerifyingSession(ClusterSession session, Cluster cluster) {
    super(session);
    this.cluster = cluster;
  }

  @Override
  public void commit() throws TransactionFailed {
    super.commit();
    cluster.transactionEnded();
  }

  @Override
  public void abort() {
    super.abort();
    cluster.transactionEnded();
  }
}
