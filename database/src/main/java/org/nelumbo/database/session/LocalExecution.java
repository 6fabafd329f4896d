package org.nelumbo.database.session;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Rows;
import org.nelumbo.session.StatementExecution;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.ParameterSet;

/**
 * The execution of a statement in a {@link LocalSession}: a {@link Portal} and its runner. {@link
 * StatementRunner} runs statements with a plan, {@link SessionCommands} runs all others.
 */
final class LocalExecution implements StatementExecution {
  private final StatementRunner runner;
  private final SessionCommands commands;
  private final Portal portal;
  private final Consumer<LocalExecution> onClose;

  LocalExecution(
      StatementRunner runner,
      SessionCommands commands,
      CachedStatement statement,
      Consumer<LocalExecution> onClose) {
    this.runner = runner;
    this.commands = commands;
    this.portal = runner.newPortal(statement);
    this.onClose = onClose;
  }

  @Override
  public CachedStatement plan() {
    return portal.statement();
  }

  @Override
  public ParameterSet parameters() {
    return portal.parameters();
  }

  @Override
  public void setParameterTypes(List<ColumnType> types) {
    runner.setParameterTypes(portal, types);
  }

  @Override
  public void setTimeoutNanos(long nanos) {
    portal.setTimeoutNanos(nanos);
  }

  @Override
  public void continueStatement() {
    portal.continueStatement();
  }

  @Override
  public void setMaxRows(long rows) {
    portal.setMaxRows(rows);
  }

  /** Makes the execution run another text with its present plan. */
  void adoptText(CachedStatement text) {
    portal.adoptText(text);
  }

  // Runs.

  @Override
  public void executeQuery() {
    if (!plan().kind().returnsRows()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT, "the statement returns no rows; use executeUpdate");
    }
    if (plan().returnsChanges()) {
      closeRows();
      runner.update(portal);
      portal.openReturned();
    } else {
      runner.open(portal);
    }
  }

  @Override
  public long executeUpdate() {
    if (plan().kind().returnsRows()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT, "the statement returns rows; use executeQuery");
    }
    if (plan().kind().changesRows()) {
      return runner.update(portal);
    }
    commands.run(portal);
    return 0;
  }

  @Override
  public boolean hint() {
    return portal.execution() != null && runner.anticipate(portal);
  }

  @Override
  public boolean insertMany(int rows, IntConsumer setRow) {
    return portal.execution() != null
        && portal.execution().canInsertMany()
        && !portal.keepsKeys()
        && runner.insertMany(portal, rows, setRow);
  }

  /** Sets the owner, which identifies a statement to cancel. */
  void setOwner(Object owner) {
    portal.setOwner(owner);
  }

  // Rows.

  @Override
  public void reserve(long bytes) {
    portal.reserveCopies(bytes);
  }

  @Override
  public boolean isOpen() {
    return portal.isOpen();
  }

  @Override
  public boolean next() {
    if (portal.isExhausted()) {
      return false;
    }
    if (!portal.isBuffered()) {
      return runner.next(portal);
    }
    try {
      return portal.nextBuffered();
    } catch (NelumboException e) {
      throw runner.readingFailed(portal, e);
    }
  }

  @Override
  public boolean isNull(int column) {
    CurrentRow row = portal.streamedRow();
    return (row == null || !row.hasValue(column)) && readIsNull(row, column);
  }

  private boolean readIsNull(CurrentRow rowOrNull, int column) {
    try {
      if (rowOrNull == null) {
        return portal.bufferedRows().isNull(column);
      }
      if (!rowOrNull.isRead(column)) {
        runner.readValue(portal, column);
      }
      return rowOrNull.isNull(column);
    } catch (NelumboException e) {
      throw runner.readingFailed(portal, e);
    }
  }

  @Override
  public long longAt(int column) {
    CurrentRow row = portal.streamedRow();
    if (row != null && row.hasValue(column)) {
      return row.longAt(column);
    }
    if (readIsNull(row, column)) {
      return 0;
    }
    return row == null ? portal.bufferedRows().longAt(column) : row.longAt(column);
  }

  @Override
  public Object objectAt(int column) {
    CurrentRow row = portal.streamedRow();
    if (row != null && row.hasValue(column)) {
      return row.objectAt(column);
    }
    if (readIsNull(row, column)) {
      return null;
    }
    return row == null ? portal.bufferedRows().objectAt(column) : row.objectAt(column);
  }

  @Override
  public void closeRows() {
    endReading();
    runner.close(portal);
  }

  @Override
  public void closeRows(long timeoutNanos) {
    endReading();
    runner.close(portal, timeoutNanos);
  }

  private void endReading() {
    portal.reserveCopies(0);
    portal.exhaust();
  }

  // Generated keys.

  @Override
  public void keepGeneratedKeys(int[] columns) {
    portal.keepGeneratedKeys(columns);
  }

  @Override
  public Rows generatedKeys() {
    return portal.generatedKeys();
  }

  @Override
  public List<ResultColumn> generatedKeyColumns() {
    return portal.generatedKeyColumns();
  }

  @Override
  public void close() {
    closeRows();
    portal.reset();
    onClose.accept(this);
  }
}
