package org.nelumbo.simulation.cluster;

import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Session;
import org.nelumbo.simulation.instrument.Injected;

/** The session of the client that changes the definition of table T. */
public final class SchemaSession implements AutoCloseable {
  private static final int ROWS_TOGETHER = 50;

  /** First id of the filler rows; no workload uses these ids. */
  private static final long FILLER = Long.MAX_VALUE - 1_000_000;

  private final Session session;
  private final ClusterOptions options;

  SchemaSession(Session session, ClusterOptions options) {
    this.session = session;
    this.options = options;
  }

  /**
   * Changes the table definition.
   *
   * @return true if the change was made; if not, nothing has changed
   * @throws TransactionFailed if the pool was lost
   * @throws NelumboException if the change failed with an error that is never allowed
   */
  public boolean change(SchemaChange change) throws TransactionFailed {
    boolean begun = false;
    for (String statement : change.statements(RowTable.definition(options))) {
      if (!run(change, statement)) {
        return begun;
      }
      begun = true;
    }
    return true;
  }

  private boolean run(SchemaChange change, String statement) throws TransactionFailed {
    try {
      Cluster.run(session, statement);
      return true;
    } catch (NelumboException e) {
      if (change.allows(e.code())) {
        return false;
      }
      throw lost(e);
    } catch (FabricException e) {
      throw new TransactionFailed(TransactionFailed.Reason.UNKNOWN);
    } catch (RuntimeException | Error e) {
      if (Injected.isCauseOf(e)) {
        throw new TransactionFailed(TransactionFailed.Reason.BROKEN_COMMIT);
      }
      throw e;
    }
  }

  /** Only the next compute node finds out how far the DDL statement got. */
  private static TransactionFailed lost(NelumboException e) {
    if (Injected.isCauseOf(e)) {
      return new TransactionFailed(TransactionFailed.Reason.BROKEN_COMMIT);
    }
    if (e.code().unknownOutcome()
        || e.code() == ErrorCode.CONNECTION_LOST
        || e.getCause() instanceof FabricException) {
      return new TransactionFailed(TransactionFailed.Reason.UNKNOWN);
    }
    throw e;
  }

  /** Creates the table and its filler rows. */
  void create() {
    for (String statement : RowTable.definition(options)) {
      Cluster.run(session, statement);
    }
    fill();
  }

  private void fill() {
    for (int i = 0; i < options.schema().filler(); i += ROWS_TOGETHER) {
      StringBuilder insert = new StringBuilder("INSERT INTO T (ID, VAL, GRP, TXT, MORE) VALUES ");
      for (int k = i; k < i + ROWS_TOGETHER; k++) {
        insert.append(k == i ? "" : ", ").append('(').append(FILLER + k);
        boolean last = k + ROWS_TOGETHER >= options.schema().filler();
        insert.append(", ").append(k).append(", -1, 'f', ").append(last ? "NULL" : "0").append(')');
      }
      Cluster.run(session, insert.toString());
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
