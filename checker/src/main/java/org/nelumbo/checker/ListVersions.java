package org.nelumbo.checker;

import java.util.Arrays;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryText;
import org.nelumbo.history.Outcome;

/**
 * Adds the dependencies through one list. The longest list that was read is the order of its
 * versions, and every other read must be a prefix of it. Appends that were never read come after
 * it.
 */
final class ListVersions {
  /**
   * Above this number of unread appends, a node connects readers and unread appends instead of
   * pairs.
   */
  private static final int PAIRS_MAX = 16;

  private final History history;
  private final WriteIndex writeIndex;
  private final AccessTable accessTable;
  private final DependencyGraph graph;
  private final FoundAnomalies findings;
  private final int[] positionOf;

  private int key;
  private int longest;
  private int length;
  private int[] version = new int[64];
  private int[] unread = new int[16];
  private int unreadCount;

  ListVersions(
      History history,
      WriteIndex writeIndex,
      AccessTable accessTable,
      DependencyGraph graph,
      FoundAnomalies findings) {
    this.history = history;
    this.writeIndex = writeIndex;
    this.accessTable = accessTable;
    this.graph = graph;
    this.findings = findings;
    this.positionOf = new int[history.operations()];
    Arrays.fill(positionOf, -1);
  }

  void add(int keyIndex) {
    key = keyIndex;
    findLongest();
    if (longest >= 0 && !recoverOrder()) {
      return;
    }
    findUnread();
    for (int i = 0; i < length; i++) {
      int next = i + 1 < length ? i + 1 : -1;
      if (next >= 0) {
        graph.add(writer(i), writer(next), EdgeKind.WW, key);
      }
    }
    for (int i = 0; i < unreadCount && length > 0; i++) {
      graph.add(writer(length - 1), unread[i], EdgeKind.WW, key);
    }
    addReaders();
    findLostUpdate();
  }

  /**
   * Reports two transactions that found the complete final list and appended to it: one append was
   * lost.
   */
  private void findLostUpdate() {
    int other = -1;
    for (int i = accessTable.firstOf(key); i < accessTable.endOf(key) && unreadCount > 1; i++) {
      int row = accessTable.row(i);
      boolean appended =
          accessTable.write(row) != WriteIndex.NONE && positionOf[accessTable.write(row)] < 0;
      if (appended && accessTable.found(row) >= 0 && accessTable.length(row) == length) {
        if (other >= 0) {
          findings.add(
              AnomalyKind.LOST_UPDATE,
              "both found the same list and appended to it",
              other,
              accessTable.transaction(row));
          return;
        }
        other = accessTable.transaction(row);
      }
    }
  }

  private int writer(int position) {
    return writeIndex.transactionOf(version[position]);
  }

  /**
   * Finds the longest read. Reads include own appends at their end, which are part of the order,
   * too.
   */
  private void findLongest() {
    longest = -1;
    length = 0;
    for (int i = accessTable.firstOf(key); i < accessTable.endOf(key); i++) {
      int operation = accessTable.found(accessTable.row(i));
      if (operation >= 0 && (longest < 0 || history.count(operation) > length)) {
        longest = operation;
        length = history.count(operation);
      }
    }
  }

  private boolean recoverOrder() {
    version = length > version.length ? new int[length * 2] : version;
    int reader = writeIndex.transactionOf(longest);
    for (int i = 0; i < length; i++) {
      int write = writeIndex.of(history.key(longest), history.element(longest, i));
      if (write == WriteIndex.NONE) {
        findings.add(
            AnomalyKind.GARBAGE_READ,
            "no transaction appended "
                + history.element(longest, i)
                + " to "
                + history.key(longest)
                + ", which T"
                + reader
                + " read",
            reader);
        return false;
      }
      if (positionOf[write] >= 0) {
        findings.add(
            AnomalyKind.DUPLICATE_ELEMENT,
            "T" + reader + " read " + history.element(longest, i) + " twice",
            writeIndex.transactionOf(write),
            reader);
        return false;
      }
      positionOf[write] = i;
      version[i] = write;
      int writer = writeIndex.transactionOf(write);
      if (history.outcome(writer) == Outcome.ABORTED) {
        findings.add(
            AnomalyKind.ABORTED_READ,
            "T"
                + reader
                + " read what T"
                + writer
                + " did: "
                + HistoryText.operation(history, write)
                + ", but it aborted",
            writer,
            reader);
        return false;
      }
    }
    return true;
  }

  private void findUnread() {
    unreadCount = 0;
    for (int i = accessTable.firstOf(key); i < accessTable.endOf(key); i++) {
      int row = accessTable.row(i);
      if (accessTable.write(row) != WriteIndex.NONE && positionOf[accessTable.write(row)] < 0) {
        unread = unreadCount == unread.length ? Arrays.copyOf(unread, unreadCount * 2) : unread;
        unread[unreadCount++] = accessTable.transaction(row);
      }
    }
  }

  private void addReaders() {
    int join = -1;
    for (int i = accessTable.firstOf(key); i < accessTable.endOf(key); i++) {
      int row = accessTable.row(i);
      if (accessTable.found(row) < 0
          || !isPrefix(accessTable.found(row), accessTable.length(row))) {
        continue;
      }
      int reader = accessTable.transaction(row);
      int seen = accessTable.length(row);
      int ownFirst = accessTable.firstWrite(row);
      if (ownFirst != WriteIndex.NONE && positionOf[ownFirst] >= 0 && positionOf[ownFirst] < seen) {
        findings.add(
            AnomalyKind.INTERNAL,
            "T"
                + reader
                + " read what it appended afterwards: "
                + HistoryText.operation(history, ownFirst),
            reader);
      }
      if (seen > 0) {
        addFound(reader, seen - 1);
      }
      if (seen < length) {
        addMissed(reader, seen);
      } else if (unreadCount <= PAIRS_MAX) {
        for (int k = 0; k < unreadCount; k++) {
          graph.add(reader, unread[k], EdgeKind.RW, key);
        }
      } else {
        join = join < 0 ? joinUnread() : join;
        graph.addOut(reader, join, EdgeKind.RW, key);
      }
    }
  }

  private int joinUnread() {
    int join = graph.newNode();
    for (int k = 0; k < unreadCount; k++) {
      graph.addIn(join, unread[k], EdgeKind.INSIDE, true);
    }
    return join;
  }

  /** Adds the dependency of a reader on the last version in its list. */
  private void addFound(int reader, int position) {
    int writer = writer(position);
    graph.add(writer, reader, EdgeKind.WR, key);
    if (!writeIndex.isLast(version[position]) && writer != reader) {
      findings.add(
          AnomalyKind.INTERMEDIATE_READ,
          "T"
              + reader
              + " read what T"
              + writer
              + " did: "
              + HistoryText.operation(history, version[position])
              + ", and then changed",
          writer,
          reader);
    }
  }

  /** Adds the anti-dependency of a reader on the first version that it did not see. */
  private void addMissed(int reader, int position) {
    graph.add(reader, writer(position), EdgeKind.RW, key);
  }

  private boolean isPrefix(int operation, int elements) {
    for (int i = 0; i < elements; i++) {
      if (history.element(operation, i) != history.element(longest, i)) {
        findings.add(
            AnomalyKind.INCOMPATIBLE_ORDER,
            "neither list is a prefix of the other: "
                + HistoryText.operation(history, operation)
                + " and "
                + HistoryText.operation(history, longest),
            writeIndex.transactionOf(operation),
            writeIndex.transactionOf(longest));
        return false;
      }
    }
    return true;
  }
}
