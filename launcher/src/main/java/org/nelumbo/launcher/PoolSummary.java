package org.nelumbo.launcher;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * The summary of what all memory nodes of a pool say: the latest view any of them was told decides
 * who is live, of those that answer. A node that was left out does not know that; whoever thinks to
 * be live in an earlier view is out.
 */
final class PoolSummary {
  private final Map<String, String>[] answers;

  /** Of that many nodes, none of which has answered yet. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  PoolSummary(int nodes) {
    answers = new Map[nodes];
  }

  /** A node has answered with those words, {@code key=value} each. */
  void add(int node, String words) {
    Map<String, String> answer = new HashMap<>();
    for (String word : words.split("\\s+", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        answer.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    answers[node] = answer;
  }

  boolean haveAllAnswered() {
    return count(node -> answers[node] != null) == answers.length;
  }

  private int count(IntPredicate which) {
    int count = 0;
    for (int node = 0; node < answers.length; node++) {
      count += which.test(node) ? 1 : 0;
    }
    return count;
  }

  /** The pool in one line. */
  String line() {
    if (count(node -> answers[node] != null) == 0) {
      return "pool nodes=" + answers.length + " answering=none";
    }
    Map<String, String> latest = latest();
    if (latest != null) {
      return replicated(latest);
    }
    int formatted = count(node -> has(node, "copies", "1"));
    String text = "pool nodes=" + answers.length + " answering=" + names(this::isThere);
    return text + (formatted > 0 ? " copies=1" + pool() : " (no pool has been made here)");
  }

  private boolean isThere(int node) {
    return answers[node] != null;
  }

  private boolean has(int node, String key, String value) {
    return answers[node] != null && value.equals(answers[node].get(key));
  }

  /** The answer that tells the latest view; null if none does. */
  private Map<String, String> latest() {
    Map<String, String> found = null;
    for (Map<String, String> answer : answers) {
      if (answer != null && view(answer) > (found == null ? 0 : view(found))) {
        found = answer;
      }
    }
    return found;
  }

  /** The ids of pools that the nodes have: one, if all is well. */
  private String pool() {
    TreeSet<String> ids = new TreeSet<>();
    for (Map<String, String> answer : answers) {
      if (answer != null && answer.containsKey("pool")) {
        ids.add(answer.get("pool"));
      }
    }
    return ids.isEmpty() ? "" : " pool=" + String.join(",", ids);
  }

  private static long view(Map<String, String> answer) {
    return Long.parseLong(answer.getOrDefault("view", "0"));
  }

  private String replicated(Map<String, String> latest) {
    List<String> live = List.of(latest.getOrDefault("live", "").split(",", -1));
    IntPredicate isLive = node -> isThere(node) && live.contains(Integer.toString(node));
    IntPredicate isFilling = node -> !isLive.test(node) && isBeingFilled(node);
    return "pool nodes="
        + answers.length
        + " answering="
        + names(this::isThere)
        + " copies="
        + latest.get("copies")
        + pool()
        + " view="
        + view(latest)
        + " live="
        + names(isLive)
        + " filling="
        + names(isFilling)
        + " out="
        + names(node -> !isLive.test(node) && !isFilling.test(node));
  }

  /** It says so, and somebody is there to do it. */
  private boolean isBeingFilled(int node) {
    return has(node, "role", "filling") && !has(node, "owner", "nobody");
  }

  private String names(IntPredicate which) {
    StringJoiner names = new StringJoiner(",");
    names.setEmptyValue("none");
    for (int node = 0; node < answers.length; node++) {
      if (which.test(node)) {
        names.add(Integer.toString(node));
      }
    }
    return names.toString();
  }
}
