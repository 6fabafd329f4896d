package org.nelumbo.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.history.History;
import org.nelumbo.history.OperationKind;
import org.nelumbo.history.Outcome;
import org.nelumbo.session.Isolation;

/**
 * Judges a history of a few transactions by trying every order in which they may have taken effect.
 * It applies the definition of the isolation levels without inference:
 *
 * <ul>
 *   <li>A serializable transaction takes effect at one time.
 *   <li>A snapshot transaction reads at one time and commits at another, unless a key that it
 *       changes has been changed in between.
 *   <li>A transaction of unknown outcome takes effect or not.
 * </ul>
 *
 * <p>Used for litmus tests, and as the reference for {@link HistoryChecker}.
 */
public final class ExactChecker {
  /** Maximum number of transactions: the search takes too long for more. */
  public static final int TRANSACTIONS_MAX = 12;

  private final History history;
  private final boolean[] begun;
  private final boolean[] done;
  private final List<Map<Integer, List<Long>>> snapshots = new ArrayList<>();
  private final List<Map<Integer, List<Long>>> changes = new ArrayList<>();

  private ExactChecker(History history) {
    this.history = history;
    this.begun = new boolean[history.size()];
    this.done = new boolean[history.size()];
    for (int t = 0; t < history.size(); t++) {
      snapshots.add(null);
      changes.add(null);
      done[t] = history.outcome(t) == Outcome.ABORTED;
      begun[t] = done[t];
    }
  }

  /**
   * Returns true if some order explains the history.
   *
   * @throws IllegalArgumentException if it has more than {@value #TRANSACTIONS_MAX} transactions
   */
  public static boolean isValid(History history) {
    if (history.size() > TRANSACTIONS_MAX) {
      throw new IllegalArgumentException("too many transactions size=" + history.size());
    }
    return new ExactChecker(history).search(new HashMap<>());
  }

  private boolean search(Map<Integer, List<Long>> database) {
    boolean complete = true;
    for (int t = 0; t < history.size(); t++) {
      complete &= done[t] || history.outcome(t) == Outcome.UNKNOWN;
    }
    if (complete) {
      return true;
    }
    for (int t = 0; t < history.size(); t++) {
      if (!done[t] && (begun[t] || mayBegin(t)) && step(t, database)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns true if all transactions that precede this one in real time or in its session are done.
   */
  private boolean mayBegin(int transaction) {
    for (int t = 0; t < history.size(); t++) {
      boolean sessionBefore =
          history.session(t) == history.session(transaction)
              && t < transaction // they may have the same time
              && history.outcome(t) == Outcome.COMMITTED;
      boolean before = history.completed(t) < history.invoked(transaction) || sessionBefore;
      if (t != transaction && !done[t] && before) {
        return false;
      }
    }
    return true;
  }

  private boolean step(int transaction, Map<Integer, List<Long>> database) {
    if (!begun[transaction]) {
      Map<Integer, List<Long>> change = execute(transaction, database);
      return change != null && begin(transaction, change, database);
    }
    Map<Integer, List<Long>> snapshot = snapshots.get(transaction);
    for (int key : changes.get(transaction).keySet()) {
      if (snapshot.get(key) != database.get(key)) {
        return false;
      }
    }
    return commit(transaction, database);
  }

  private boolean begin(
      int transaction, Map<Integer, List<Long>> change, Map<Integer, List<Long>> database) {
    begun[transaction] = true;
    changes.set(transaction, change);
    snapshots.set(transaction, database);
    boolean single = history.isolation(transaction) == Isolation.SERIALIZABLE;
    boolean valid = single ? commit(transaction, database) : search(database);
    begun[transaction] = false;
    return valid;
  }

  private boolean commit(int transaction, Map<Integer, List<Long>> database) {
    done[transaction] = true;
    Map<Integer, List<Long>> next = new HashMap<>(database);
    next.putAll(changes.get(transaction));
    boolean valid = search(next);
    done[transaction] = false;
    return valid;
  }

  /**
   * Returns the changes of a transaction on a database, or null if its reads do not match the
   * database.
   */
  private Map<Integer, List<Long>> execute(int transaction, Map<Integer, List<Long>> database) {
    Map<Integer, List<Long>> own = new HashMap<>();
    int end = history.endOperation(transaction);
    for (int i = history.firstOperation(transaction); i < end; i++) {
      if (!agrees(i, own, database)) {
        return null;
      }
    }
    own.keySet().removeIf(key -> own.get(key).isEmpty() && isEmpty(database.get(key)));
    return own;
  }

  private static boolean isEmpty(List<Long> value) {
    return value == null || value.isEmpty();
  }

  private boolean agrees(
      int operation, Map<Integer, List<Long>> own, Map<Integer, List<Long>> database) {
    int key = history.key(operation);
    List<Long> there = value(key, own, database);
    switch (history.kind(operation)) {
      case APPEND -> {
        List<Long> longer = new ArrayList<>(there);
        longer.add(history.value(operation));
        own.put(key, longer);
        return true;
      }
      case LIST -> {
        List<Long> seen = new ArrayList<>();
        for (int i = 0; i < history.count(operation); i++) {
          seen.add(history.element(operation, i));
        }
        return seen.equals(there);
      }
      case READ -> {
        return there.equals(
            history.isPresent(operation) ? List.of(history.value(operation)) : List.of());
      }
      case SCAN -> {
        return scan(operation, own, database);
      }
      case WRITE, INSERT, DELETE -> {
        return change(operation, there, own);
      }
    }
    throw new AssertionError();
  }

  private boolean change(int operation, List<Long> there, Map<Integer, List<Long>> own) {
    OperationKind kind = history.kind(operation);
    boolean deletes = kind == OperationKind.DELETE;
    if (kind != OperationKind.WRITE && there.isEmpty() == deletes) {
      return false;
    }
    List<Long> value = new ArrayList<>();
    if (!deletes) {
      value.add(history.value(operation));
    }
    own.put(history.key(operation), value);
    return true;
  }

  private static List<Long> value(
      int key, Map<Integer, List<Long>> own, Map<Integer, List<Long>> database) {
    List<Long> value = own.getOrDefault(key, database.get(key));
    return value == null ? List.of() : value;
  }

  private boolean scan(
      int operation, Map<Integer, List<Long>> own, Map<Integer, List<Long>> database) {
    int at = 0;
    for (int key = history.key(operation); key <= history.scanHigh(operation); key++) {
      List<Long> value = value(key, own, database);
      boolean listed = at < history.count(operation) && history.scanKey(operation, at) == key;
      if (listed == value.isEmpty()
          || (listed && value.getFirst() != history.scanValue(operation, at))) {
        return false;
      }
      at += listed ? 1 : 0;
    }
    return at == history.count(operation);
  }
}
