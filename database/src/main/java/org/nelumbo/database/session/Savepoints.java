package org.nelumbo.database.session;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Savepoint;

/**
 * The savepoints of a session's transaction in the order of their creation, with their positions in
 * the transaction's write set. Used by one thread at a time.
 */
final class Savepoints {
  private final List<Mark> marks = new ArrayList<>();
  private int lastId;

  private record Mark(Savepoint savepoint, long position) {}

  /** Adds a savepoint at a position, and removes an earlier one of the same name. */
  Savepoint set(String nameOrNull, long position) {
    Savepoint savepoint = new Savepoint(++lastId, nameOrNull);
    if (nameOrNull != null) {
      marks.removeIf(mark -> nameOrNull.equals(mark.savepoint.name()));
    }
    marks.add(new Mark(savepoint, position));
    return savepoint;
  }

  /** Removes the savepoints after this one; returns its position in the write set. */
  long rollbackTo(Savepoint savepoint) {
    int at = indexOf(savepoint);
    marks.subList(at + 1, marks.size()).clear();
    return marks.get(at).position;
  }

  /** Removes a savepoint and those after it. */
  void release(Savepoint savepoint) {
    marks.subList(indexOf(savepoint), marks.size()).clear();
  }

  void clear() {
    marks.clear();
  }

  private int indexOf(Savepoint savepoint) {
    for (int i = marks.size() - 1; i >= 0; i--) {
      Savepoint known = marks.get(i).savepoint;
      boolean same =
          savepoint.id() == 0
              ? savepoint.name().equals(known.name())
              : savepoint.id() == known.id();
      if (same) {
        return i;
      }
    }
    throw new NelumboException(
        ErrorCode.NO_SUCH_SAVEPOINT,
        "there is no savepoint "
            + (savepoint.name() == null ? savepoint.id() : savepoint.name())
            + " in the current transaction");
  }
}
