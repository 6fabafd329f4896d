package org.nelumbo.simulation.cluster;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.Session;
import org.nelumbo.session.StatementExecution;

/** A session on SQL: prepared statements of one session, outside of auto-commit mode. */
final class SqlClusterSession implements ClusterSession {
  /** One in this many rows has a NULL in MORE, unless the column forbids it. */
  private static final int NULL_ONE_IN = 5;

  private final Session session;
  private final boolean schemaChanges;

  /**
   * True if a row that conflicts with an insert may be invisible to the snapshot: its key is not
   * the key of its lock.
   */
  private final boolean hidesRows;

  private boolean snapshot;
  private final StatementExecution select;
  private final StatementExecution selectForUpdate;
  private final StatementExecution insert;
  private final StatementExecution update;
  private final StatementExecution delete;
  private final StatementExecution scan;
  private final StatementExecution scanGroup;
  private final ChildRows children;
  private long value;
  private long group;
  private String text;

  SqlClusterSession(Session session, ClusterOptions options) {
    this.session = session;
    this.schemaChanges = options.schema().isChanging();
    this.hidesRows = options.schema().key() == SchemaOptions.Key.UNIQUE;
    session.setAutoCommit(false);
    select = prepare("SELECT VAL, GRP, TXT FROM T WHERE ID = ?");
    selectForUpdate = prepare("SELECT VAL, GRP, TXT FROM T WHERE ID = ? FOR UPDATE");
    insert = prepare("INSERT INTO T (ID, VAL, GRP, TXT, MORE) VALUES (?, ?, ?, ?, ?)");
    update = prepare("UPDATE T SET VAL = ?, GRP = ?, TXT = ? WHERE ID = ?");
    delete = prepare("DELETE FROM T WHERE ID = ?");
    scan = prepare("SELECT ID, VAL, GRP FROM T WHERE ID BETWEEN ? AND ? ORDER BY ID");
    scanGroup =
        options.indexed() ? prepare("SELECT ID, VAL, GRP FROM T WHERE GRP = ? ORDER BY ID") : null;
    children = options.schema().child() ? new ChildRows(this::prepare) : null;
  }

  private interface ChildStatement {
    boolean run();
  }

  private boolean child(ChildStatement statement) throws TransactionFailed {
    try {
      return children == null || statement.run();
    } catch (NelumboException e) {
      throw failed(e);
    }
  }

  private StatementExecution prepare(String sql) {
    return session.newExecution(session.prepare(sql));
  }

  @Override
  public void begin(Isolation isolation, boolean readOnly) {
    snapshot = isolation == Isolation.SNAPSHOT;
    session.setIsolation(isolation);
    session.setReadOnly(readOnly);
  }

  private TransactionFailed failed(NelumboException e) {
    if (e.code() == ErrorCode.SERIALIZATION_FAILURE) {
      return new TransactionFailed(TransactionFailed.Reason.CONFLICT);
    }
    if (schemaChanges
        && (e.code() == ErrorCode.NO_SUCH_TABLE || e.code() == ErrorCode.LOCK_NOT_AVAILABLE)) {
      return new TransactionFailed(TransactionFailed.Reason.CONFLICT);
    }
    if (e.code() == ErrorCode.POOL_FULL || e.code() == ErrorCode.OUT_OF_MEMORY) {
      return new TransactionFailed(TransactionFailed.Reason.OUT_OF_MEMORY);
    }
    throw e;
  }

  @Override
  public boolean read(long id, boolean forUpdate) throws TransactionFailed {
    StatementExecution run = forUpdate ? selectForUpdate : select;
    try {
      run.parameters().setLong(0, id);
      run.executeQuery();
      boolean there = run.next();
      if (there) {
        value = run.longAt(0);
        group = run.longAt(1);
        text = (String) run.objectAt(2);
      }
      run.closeRows();
      if (children != null) {
        children.check(id, there, value);
      }
      return there;
    } catch (NelumboException e) {
      throw failed(e);
    }
  }

  /** Reads in auto-commit mode; the client has the row as soon as it has moved to it. */
  @Override
  public boolean readAlone(Isolation isolation, long id, Runnable found) throws TransactionFailed {
    session.setIsolation(isolation);
    session.setReadOnly(true);
    session.setAutoCommit(true);
    try {
      select.parameters().setLong(0, id);
      select.executeQuery();
      boolean there = select.next();
      if (there) {
        value = select.longAt(0);
        found.run();
      }
      select.closeRows();
      return there;
    } catch (NelumboException e) {
      throw failed(e);
    } finally {
      session.setAutoCommit(false);
    }
  }

  @Override
  public long value() {
    return value;
  }

  @Override
  public long group() {
    return group;
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public boolean insert(long id, long newValue, long newGroup, String newText)
      throws TransactionFailed {
    insert.parameters().setLong(0, id);
    insert.parameters().setLong(1, newValue);
    insert.parameters().setLong(2, newGroup);
    insert.parameters().setObject(3, newText);
    insert.parameters().setObject(4, id % NULL_ONE_IN == 0 ? null : id);
    return insertRow() && child(() -> children.insert(id, newValue));
  }

  private boolean insertRow() throws TransactionFailed {
    try {
      insert.executeUpdate();
      return true;
    } catch (NelumboException e) {
      if (e.code() == ErrorCode.NOT_NULL_VIOLATION) {
        return insertWithoutNull();
      }
      return duplicate(e);
    }
  }

  /** The transaction may not be able to see the equal row. */
  private boolean duplicate(NelumboException e) throws TransactionFailed {
    if (e.code() != ErrorCode.UNIQUE_VIOLATION) {
      throw failed(e);
    }
    if (hidesRows && snapshot) {
      throw new TransactionFailed(TransactionFailed.Reason.CONFLICT);
    }
    return false;
  }

  /** A schema change may have forbidden the NULL. */
  private boolean insertWithoutNull() throws TransactionFailed {
    insert.parameters().setObject(4, 0L);
    try {
      insert.executeUpdate();
      return true;
    } catch (NelumboException e) {
      return duplicate(e);
    }
  }

  @Override
  public boolean update(long id, long newValue, long newGroup, String newText)
      throws TransactionFailed {
    try {
      update.parameters().setLong(0, newValue);
      update.parameters().setLong(1, newGroup);
      update.parameters().setObject(2, newText);
      update.parameters().setLong(3, id);
      boolean done = update.executeUpdate() == 1;
      if (children != null) {
        children.update(id, newValue, done);
      }
      return done;
    } catch (NelumboException e) {
      throw failed(e);
    }
  }

  @Override
  public boolean delete(long id) throws TransactionFailed {
    try {
      delete.parameters().setLong(0, id);
      if (children != null) {
        children.delete(id, delete);
      }
      return delete.executeUpdate() == 1;
    } catch (NelumboException e) {
      throw failed(e);
    }
  }

  @Override
  public void scan(long low, long high, Visitor visitor) throws TransactionFailed {
    scan.parameters().setLong(0, low);
    scan.parameters().setLong(1, high);
    take(scan, visitor);
  }

  @Override
  public void scanGroup(long wanted, Visitor visitor) throws TransactionFailed {
    scanGroup.parameters().setLong(0, wanted);
    take(scanGroup, visitor);
  }

  private void take(StatementExecution run, Visitor visitor) throws TransactionFailed {
    try {
      run.executeQuery();
      while (run.next()) {
        visitor.row(run.longAt(0), run.longAt(1), run.longAt(2));
      }
      run.closeRows();
    } catch (NelumboException e) {
      throw failed(e);
    }
  }

  @Override
  public void commit() throws TransactionFailed {
    try {
      session.commit();
    } catch (NelumboException e) {
      throw failed(e);
    }
  }

  @Override
  public void abort() {
    session.rollback();
  }

  @Override
  public void close() {
    session.close();
  }
}
