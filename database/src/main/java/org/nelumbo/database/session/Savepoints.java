package org.nelumbo.database.session;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Savepoint;

/**
 * The savepoints of a session's transaction, in the order in which they were set, and where in the
 * transaction's write set each lies. One thread at a time.
 */
final class Savepoints {
  private final List<Mark> marks = new ArrayList<>();
  private int lastId;

  private record Mark(Savepoint savepoint, long position) {}

  /** A savepoint at a position; one of the same name before it is forgotten. */
  Savepoint set(String nameOrNull, long position) {
    Savepoint savepoint = new Savepoint(++lastId, nameOrNull);
    if (nameOrNull != null) {
      marks.removeIf(mark -> nameOrNull.equals(mark.savepoint.name()));
    }
    marks.add(new Mark(savepoint, position));
    return savepoint;
  }

  /** Forgets the savepoints after this one; where in the write set it lies. */
  long rollbackTo(Savepoint savepoint) {
    int at = indexOf(savepoint);
    marks.subList(at + 1, marks.size()).clear();
    return marks.get(at).position;
  }

  /** Forgets a savepoint and those after it. */
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
