package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A history of transactions on append-only lists. Every element is the number of the transaction
 * that appended it, and a transaction appends at most once to a list. A list that was read
 * therefore shows which writes were visible, and their order. The dependencies between transactions
 * follow from this: {@code ww} (appended the next element), {@code wr} (read the last element of),
 * {@code rw} (read the list before the other transaction appended to it).
 */
final class AppendHistory {
  /** The reads of one committed transaction, by list, and the lists it appended to. */
  record Committed(int number, Map<Integer, List<Integer>> reads, Set<Integer> appends) {}

  private final List<Committed> transactions;
  private final Map<Integer, List<Integer>> lists;
  private final Map<Integer, Set<Integer>> solid = new HashMap<>();
  private final Map<Integer, Set<Integer>> anti = new HashMap<>();

  /**
   * Creates a history.
   *
   * @param transactions committed transactions
   * @param lists final content of each list
   */
  AppendHistory(List<Committed> transactions, Map<Integer, List<Integer>> lists) {
    this.transactions = transactions;
    this.lists = lists;
    lists.values().forEach(this::link);
    for (Committed each : transactions) {
      each.reads.forEach((list, seen) -> addReadEdges(each.number, list, seen));
    }
  }

  private void link(List<Integer> list) {
    int last = -1;
    for (int element : list) {
      edge(solid, last, element);
      last = element;
    }
  }

  private void addReadEdges(int reader, int list, List<Integer> seen) {
    List<Integer> all = lists.getOrDefault(list, List.of());
    if (!seen.isEmpty()) {
      edge(solid, seen.getLast(), reader);
    }
    if (seen.size() < all.size()) {
      edge(anti, reader, all.get(seen.size()));
    }
  }

  private static void edge(Map<Integer, Set<Integer>> edges, int from, int to) {
    if (from >= 0 && from != to) {
      edges.computeIfAbsent(from, key -> new HashSet<>()).add(to);
    }
  }

  /**
   * Checks that every committed append is in its list exactly once, and that there are no other
   * elements.
   */
  void checkNothingLost() {
    Map<Integer, Set<Integer>> expected = new HashMap<>();
    for (Committed each : transactions) {
      for (int list : each.appends) {
        expected.computeIfAbsent(list, key -> new HashSet<>()).add(each.number);
      }
    }
    lists.forEach(
        (list, elements) -> {
          Set<Integer> found = new HashSet<>(elements);
          assertEquals(elements.size(), found.size(), () -> "twice in list " + list);
          assertEquals(expected.getOrDefault(list, Set.of()), found, () -> "in list " + list);
        });
    assertTrue(lists.keySet().containsAll(expected.keySet()), "lists are missing");
  }

  /**
   * Checks that each read returned a prefix of its list: no append was rolled back or out of order.
   */
  void checkReadsArePrefixes() {
    for (Committed each : transactions) {
      each.reads.forEach(
          (list, seen) ->
              assertEquals(
                  lists.getOrDefault(list, List.of()).subList(0, seen.size()),
                  seen,
                  () -> "transaction " + each.number + " read list " + list));
    }
  }

  /** Checks that a serial order of the transactions explains all reads. */
  void checkSerializable() {
    Map<Integer, Set<Integer>> all = new HashMap<>();
    solid.forEach((from, to) -> all.computeIfAbsent(from, key -> new HashSet<>()).addAll(to));
    anti.forEach((from, to) -> all.computeIfAbsent(from, key -> new HashSet<>()).addAll(to));
    for (int from : all.keySet()) {
      for (int to : all.get(from)) {
        assertTrue(!reaches(all, to, from), () -> "cycle through " + from + " and " + to);
      }
    }
  }

  /**
   * Checks that each cycle has at least two {@code rw} edges, the least that snapshot isolation
   * guarantees.
   */
  void checkSnapshotsConsistent() {
    for (Map<Integer, Set<Integer>> edges : List.of(solid, anti)) {
      edges.forEach(
          (from, targets) -> {
            for (int to : targets) {
              assertTrue(!reaches(solid, to, from), () -> "cycle through " + from + " and " + to);
            }
          });
    }
  }

  /** Returns the number of {@code rw} dependencies. A test without any of them proves nothing. */
  int overtakenReads() {
    return anti.values().stream().mapToInt(Set::size).sum();
  }

  private static boolean reaches(Map<Integer, Set<Integer>> edges, int from, int goal) {
    Set<Integer> seen = new HashSet<>();
    Deque<Integer> left = new ArrayDeque<>(List.of(from));
    while (!left.isEmpty()) {
      int at = left.pop();
      if (at == goal) {
        return true;
      }
      if (seen.add(at)) {
        left.addAll(new ArrayList<>(edges.getOrDefault(at, Set.of())));
      }
    }
    return false;
  }
}
