package org.nelumbo.simulation.cluster;

import java.util.function.Function;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.StatementExecution;

/**
 * The rows of table C, which a client changes in the same transactions as the rows of T. C has no
 * primary key and refers to T; each row of T has one child with the same VAL.
 */
final class ChildRows {
  /** One in this many reads of a row also checks its child. */
  private static final int CHECKED_ONE_IN = 3;

  /** One in this many deletes first tries to delete the row without its child. */
  private static final int LEFT_ONE_IN = 4;

  private final StatementExecution select;
  private final StatementExecution insert;
  private final StatementExecution update;
  private final StatementExecution delete;

  ChildRows(Function<String, StatementExecution> prepare) {
    select = prepare.apply("SELECT VAL FROM C WHERE PARENT = ?");
    insert = prepare.apply("INSERT INTO C (PARENT, VAL) VALUES (?, ?)");
    update = prepare.apply("UPDATE C SET VAL = ? WHERE PARENT = ?");
    delete = prepare.apply("DELETE FROM C WHERE PARENT = ?");
  }

  boolean insert(long id, long value) {
    insert.parameters().setLong(0, id);
    insert.parameters().setLong(1, value);
    return insert.executeUpdate() == 1;
  }

  /** Updates the child of a row that exists, or finds none. */
  void update(long id, long value, boolean there) {
    update.parameters().setLong(0, value);
    update.parameters().setLong(1, id);
    expect(there ? 1 : 0, update.executeUpdate(), id);
  }

  /** Deletes the child of a row before {@code parent} deletes the row itself. */
  void delete(long id, StatementExecution parent) {
    if (id % LEFT_ONE_IN == 1 && isReferredTo(id)) {
      try {
        parent.executeUpdate();
        throw new Violation("a row was deleted that another refers to id=" + id);
      } catch (NelumboException e) {
        if (e.code() != ErrorCode.FOREIGN_KEY_VIOLATION) {
          throw e;
        }
      }
    }
    delete.parameters().setLong(0, id);
    delete.executeUpdate();
  }

  private boolean isReferredTo(long id) {
    select.parameters().setLong(0, id);
    select.executeQuery();
    boolean there = select.next();
    select.closeRows();
    return there;
  }

  /** Compares a row that the transaction has read with its child. */
  void check(long id, boolean there, long value) {
    if (id % CHECKED_ONE_IN != 0) {
      return;
    }
    select.parameters().setLong(0, id);
    select.executeQuery();
    int count = 0;
    long found = 0;
    while (select.next()) {
      count++;
      found = select.longAt(0);
    }
    select.closeRows();
    expect(there ? 1 : 0, count, id);
    if (there && found != value) {
      throw new Violation(
          "a transaction saw inconsistent versions of a row and its child id="
              + id
              + " value="
              + value
              + " child="
              + found);
    }
  }

  private static void expect(long wanted, long found, long id) {
    if (wanted != found) {
      throw new Violation("a row has " + found + " children, not " + wanted + " id=" + id);
    }
  }
}
