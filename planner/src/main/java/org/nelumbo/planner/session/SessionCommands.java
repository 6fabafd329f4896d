package org.nelumbo.planner.session;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.parser.ast.AnalyzeTable;
import org.nelumbo.parser.ast.Commit;
import org.nelumbo.parser.ast.IsolationLevel;
import org.nelumbo.parser.ast.ReleaseSavepoint;
import org.nelumbo.parser.ast.Rollback;
import org.nelumbo.parser.ast.Savepoint;
import org.nelumbo.parser.ast.SetSchema;
import org.nelumbo.parser.ast.SetTransaction;
import org.nelumbo.parser.ast.Shutdown;
import org.nelumbo.parser.ast.StartTransaction;

/** Statements about transactions and the session itself. */
final class SessionCommands {
  private final LocalSession session;

  SessionCommands(LocalSession session) {
    this.session = session;
  }

  void run(SqlNode command) {
    switch (command) {
      case Commit ignored -> session.commit();
      case Rollback rollback -> rollback(rollback);
      case Savepoint savepoint -> {
        requireTransactions("SAVEPOINT");
        session.setSavepoint(name(savepoint.name()));
      }
      case ReleaseSavepoint release -> session.release(named(release.name()));
      case StartTransaction start ->
          session.start(isolation(start.modes().isolation()), start.modes().readOnly());
      case SetTransaction set -> set(set);
      case SetSchema schema -> session.setSchema(name(schema.name()));
      case AnalyzeTable ignored -> session.database().growth().analyze();
      case Shutdown ignored -> session.database().close();
      default ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED, command.getKind() + " is not supported");
    }
  }

  private void rollback(Rollback rollback) {
    if (rollback.savepoint() == null) {
      session.rollback();
    } else {
      session.rollbackTo(named(rollback.savepoint()));
    }
  }

  private void requireTransactions(String what) {
    if (session.autoCommit()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT, what + " needs a transaction; switch auto-commit off first");
    }
  }

  private void set(SetTransaction set) {
    Isolation level = isolation(set.modes().isolation());
    if (!set.forSession()) {
      session.setNext(level, set.modes().readOnly());
      return;
    }
    if (level != null) {
      session.setIsolation(level);
    }
    if (set.modes().readOnly() != null) {
      session.setReadOnly(set.modes().readOnly());
    }
  }

  /** The level that gives at least what is asked for. */
  private static Isolation isolation(IsolationLevel level) {
    if (level == null) {
      return null;
    }
    return level == IsolationLevel.SERIALIZABLE ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT;
  }

  private static String name(SqlIdentifier identifier) {
    return identifier.names.getLast();
  }

  /** A savepoint known by its name only. */
  private static org.nelumbo.planner.Savepoint named(SqlIdentifier name) {
    return new org.nelumbo.planner.Savepoint(0, name(name));
  }
}
