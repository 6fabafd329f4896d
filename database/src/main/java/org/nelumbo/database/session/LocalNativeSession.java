package org.nelumbo.database.session;

import java.util.Locale;
import org.nelumbo.database.Database;
import org.nelumbo.database.NativeSession;
import org.nelumbo.database.NativeTable;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.SessionOptions;

/**
 * A session of the native API. It holds the metadata locks of its tables until it is closed, so
 * that beginning and ending a transaction has no cost beyond that of the engine.
 */
final class LocalNativeSession implements NativeSession {
  private static final long LOCK_WAIT_NANOS = SessionOptions.defaults().lockTimeout().toNanos();

  private final SessionContext context;
  private final Runnable onClose;
  private final Coordinator coordinator;
  private final Transaction transaction;
  private final HeldMetadataLocks metadataLocks = new HeldMetadataLocks();
  private boolean closed;

  LocalNativeSession(SessionContext context, Coordinator coordinator, Runnable onClose) {
    this.context = context;
    this.onClose = onClose;
    this.coordinator = coordinator;
    this.transaction = coordinator.transaction();
    transaction.setConflictPolicy(
        ConflictPolicy.NO_WAIT, context.engine().options().lockTimeoutNanos());
  }

  HeldMetadataLocks metadataLocks() {
    return metadataLocks;
  }

  @Override
  public Database database() {
    return context.database();
  }

  @Override
  public Transaction transaction() {
    return transaction;
  }

  @Override
  public Coordinator coordinator() {
    return coordinator;
  }

  @Override
  public NativeTable table(String name) {
    return table(CatalogState.PUBLIC, name);
  }

  @Override
  public NativeTable table(String schema, String name) {
    if (closed || !context.database().isOpen()) {
      throw new NelumboException(
          closed ? ErrorCode.CONNECTION_CLOSED : ErrorCode.SHUT_DOWN,
          closed ? "the session is closed" : "the database has been shut down");
    }
    if (transaction.isActive()) {
      throw new IllegalStateException("tables are looked up before a transaction, not in one");
    }
    TableEntry entry = find(schema, name);
    while (true) {
      CancellationToken stop = coordinator.transaction().cancellation();
      if (!metadataLocks.acquire(entry.metadataLock(), LOCK_WAIT_NANOS, false, stop)) {
        transaction.confirmOwner(); // other members may have declared this compute node failed
        throw new NelumboException(
            ErrorCode.LOCK_NOT_AVAILABLE, "table " + entry + " is being changed; try again");
      }
      // The locked table cannot change any more; read its current entry.
      TableEntry entered = find(schema, name);
      if (entered.metadataLock() == entry.metadataLock()) {
        return new NativeTable(entered);
      }
      entry = entered;
    }
  }

  private TableEntry find(String schema, String name) {
    CatalogState state = context.catalog().state();
    TableEntry exact = state.table(schema, name);
    TableEntry table =
        exact != null
            ? exact
            : state.table(schema.toUpperCase(Locale.ROOT), name.toUpperCase(Locale.ROOT));
    if (table == null) {
      throw new NelumboException(
          ErrorCode.NO_SUCH_TABLE, "Table '" + schema + "." + name + "' not found");
    }
    if (table.definition().hasIndexExpressions()) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "table "
              + table
              + " has an index on an expression, or a partial one, which only SQL can"
              + " compute; use SQL, or drop the index");
    }
    return table;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        if (context.isAbandoned()) {
          coordinator.abandon();
        } else {
          coordinator.close();
        }
      } finally {
        metadataLocks.releaseAll();
        onClose.run();
      }
    }
  }
}
