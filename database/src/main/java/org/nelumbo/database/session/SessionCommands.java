package org.nelumbo.database.session;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.database.ddl.ObjectNames;
import org.nelumbo.database.durable.OnlineBackup;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.database.plancache.SessionPlanCache;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.ast.BackupDatabase;
import org.nelumbo.parser.ast.Commit;
import org.nelumbo.parser.ast.CreateTable;
import org.nelumbo.parser.ast.IsolationLevel;
import org.nelumbo.parser.ast.NamedCommand;
import org.nelumbo.parser.ast.Rollback;
import org.nelumbo.parser.ast.SetProperty;
import org.nelumbo.parser.ast.SetTransaction;
import org.nelumbo.parser.ast.Shutdown;
import org.nelumbo.parser.ast.StartTransaction;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.session.Isolation;

/**
 * Runs the statements of a session that have no plan: schema changes, and statements that control
 * transactions and the session. Used by one thread at a time.
 */
final class SessionCommands {
  private final SessionContext context;
  private final SessionMutex sessionMutex;
  private final SessionTransaction sessionTransaction;
  private final SessionPlanCache plans;
  private final StatementRunner runner;
  private final SessionProperties properties;
  private final TemporaryTables temporaryTables;

  SessionCommands(
      SessionContext context,
      SessionMutex sessionMutex,
      SessionTransaction sessionTransaction,
      SessionPlanCache plans,
      StatementRunner runner,
      SessionProperties properties,
      TemporaryTables temporaryTables) {
    this.context = context;
    this.sessionMutex = sessionMutex;
    this.sessionTransaction = sessionTransaction;
    this.plans = plans;
    this.runner = runner;
    this.properties = properties;
    this.temporaryTables = temporaryTables;
  }

  void run(Portal portal) {
    CachedStatement statement = portal.statement();
    runner.enter(portal);
    try {
      runner.arm(portal);
      if (statement.kind().changesCatalog()) {
        long begun = sessionTransaction.timer().begin();
        SqlNode change = statement.schemaChange();
        if (change instanceof CreateTable create && create.onCommit() != null) {
          createTemporary(statement, create);
        } else {
          changeSchema(statement, change);
        }
        sessionTransaction.timer().end(begun, statement.kind(), statement.sql());
      } else {
        runCommand(statement);
      }
    } finally {
      runner.commandEnded();
      sessionMutex.exit();
    }
  }

  /** Commits, and runs a schema change outside of any transaction. */
  private void changeSchema(CachedStatement statement, SqlNode change) {
    sessionTransaction.checkNotFailed();
    if (sessionTransaction.nextReadOnly()) {
      throw new NelumboException(
          ErrorCode.READ_ONLY_TRANSACTION,
          sessionTransaction.readOnly()
              ? "the session is read-only; call setReadOnly(false)"
              : "the transaction is read-only; commit it first");
    }
    sessionTransaction.commit();
    runner.setRunning(statement);
    try {
      context
          .schemaChanges()
          .run(
              change,
              plans.schema(),
              plans.temporary(),
              sessionTransaction.lockTimeoutNanos(),
              sessionTransaction.transaction().cancellation());
    } catch (StackOverflowError e) {
      throw SqlErrors.map(e);
    } finally {
      temporaryTables.changed();
    }
  }

  /** Allowed within a transaction, even a read-only one. */
  private void createTemporary(CachedStatement statement, CreateTable create) {
    sessionTransaction.checkNotFailed();
    sessionTransaction.detachResults();
    runner.setRunning(statement);
    try {
      temporaryTables.create(create);
    } catch (StackOverflowError e) {
      throw SqlErrors.map(e);
    }
    sessionTransaction.awaitDurable(); // the schema change itself does not depend on the session
  }

  private void runCommand(CachedStatement statement) {
    SqlNode command = statement.command();
    switch (command) {
      case Commit commit -> end(commit.chains(), sessionTransaction::commit);
      case Rollback rollback -> rollback(rollback);
      case NamedCommand named -> run(named, statement);
      case StartTransaction start -> {
        sessionTransaction.start();
        sessionTransaction.setNext(isolation(start.modes().isolation()), start.modes().readOnly());
      }
      case SetTransaction set -> set(set);
      case SetProperty set -> set(set);
      case BackupDatabase backup -> backup(backup, statement);
      case Shutdown _ -> context.database().close();
      default ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED, command.getKind() + " is not supported");
    }
  }

  private void run(NamedCommand command, CachedStatement statement) {
    switch (command.statementKind()) {
      case SAVEPOINT -> setSavepoint(name(command.name()));
      case RELEASE_SAVEPOINT -> sessionTransaction.release(name(command.name()));
      case SET_SCHEMA -> plans.setSchema(name(command.name()));
      case ANALYZE_TABLE ->
          context.planInvalidator().analyze(sessionTransaction.transaction().cancellation());
      case CHECK -> check(command.name(), statement);
      default -> throw new IllegalStateException(command.statementKind() + " has no name");
    }
  }

  private void backup(BackupDatabase backup, CachedStatement statement) {
    sessionTransaction.checkNotFailed();
    sessionTransaction.commit();
    runner.setRunning(statement);
    new OnlineBackup(
            context.engine(),
            context.catalog(),
            sessionTransaction.transaction(),
            sessionTransaction.metadataLocks(),
            sessionTransaction.lockTimeoutNanos())
        .run(() -> context.directories().open(backup.directory(), "a backup"), backup.isFull());
  }

  private void check(SqlIdentifier table, CachedStatement statement) {
    sessionTransaction.checkNotFailed();
    sessionTransaction.commit();
    runner.setRunning(statement);
    List<Integer> tables = null;
    if (table != null) {
      tables = List.of(ObjectNames.table(context.catalog().state(), table, plans.schema()).id());
    }
    context
        .check()
        .run(
            tables,
            sessionTransaction.transaction(),
            sessionTransaction.metadataLocks(),
            sessionTransaction.lockTimeoutNanos());
  }

  private void setSavepoint(String name) {
    if (sessionTransaction.autoCommit()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT,
          "SAVEPOINT needs a transaction; switch auto-commit off first");
    }
    sessionTransaction.setSavepoint(name);
  }

  private void end(boolean chains, Runnable end) {
    if (chains) {
      sessionTransaction.chain(end);
    } else {
      end.run();
    }
  }

  private void rollback(Rollback rollback) {
    if (rollback.savepoint() == null) {
      end(rollback.chains(), sessionTransaction::rollback);
    } else {
      sessionTransaction.rollbackTo(name(rollback.savepoint()));
    }
  }

  private void set(SetProperty set) {
    String name = String.join(".", set.name().names);
    if (!set.isLocal()) {
      properties.set(name, set.values());
      return;
    }
    Runnable back = properties.setLocal(name, set.values());
    if (sessionTransaction.autoCommit()) {
      back.run(); // the transaction ends with the statement
    } else {
      sessionTransaction.whenEnded(back);
    }
  }

  private void set(SetTransaction set) {
    Isolation level = isolation(set.modes().isolation());
    if (set.scope() == SetTransaction.Scope.NEXT_TRANSACTION) {
      sessionTransaction.setNext(level, set.modes().readOnly());
      return;
    }
    if (level != null) {
      sessionTransaction.setIsolation(level);
    }
    if (set.modes().readOnly() != null) {
      sessionTransaction.setReadOnly(set.modes().readOnly());
    }
  }

  private static Isolation isolation(IsolationLevel level) {
    if (level == null) {
      return null;
    }
    return level == IsolationLevel.SERIALIZABLE ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT;
  }

  private static String name(SqlIdentifier identifier) {
    return identifier.names.getLast();
  }
}
