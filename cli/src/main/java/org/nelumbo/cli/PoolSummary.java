package org.nelumbo.cli;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The summary of what all memory nodes of a pool say: the latest view any of them was told decides
 * who is live, of those that answer. A node that was left out does not know that; whoever thinks to
 * be live in an earlier view is out. One that serves another compute node than those of the latest
 * view do is neither.
 */
final class PoolSummary {
  private static final String NOBODY = "nobody";

  /** A node is slow if its answer took so many times as long as those of the others. */
  private static final int SLOW_FACTOR = 5;

  /** What takes less is no trouble: most of it is making the connection. */
  private static final long SLOW_MILLIS = 200;

  private final Map<String, String>[] answers;
  private final long[] answerMillis;

  /** Of each node, the compute nodes that share it; empty if one has it alone, or nobody. */
  private final Map<Integer, Set<String>> tenants = new HashMap<>();

  /** State of a pool as a whole, and the exit status that tells it. */
  enum State {
    /** All nodes answer, and have all of their part. */
    LIVE(0),
    /** No node answers, or those that do not are the only ones with their part. */
    UNREACHABLE(3),
    /** A node is missing or left out; copies of its part are live on others. */
    DEGRADED(4),
    /** A node is being filled; no other is missing. */
    FILLING(5),
    /** The pool is loaded from the log of a node; or that loads it, and too few others are live. */
    LOADING(5),
    /** The pool is in the logs of the nodes alone; it is loaded by whoever opens it. */
    CLOSED(5),
    /** The nodes are empty. */
    EMPTY(6),
    /** The nodes serve several compute nodes, or are of several pools. */
    SPLIT(7);

    private final int exitStatus;

    State(int exitStatus) {
      this.exitStatus = exitStatus;
    }

    int exitStatus() {
      return exitStatus;
    }
  }

  /** Of that many nodes, none of which has answered yet. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  PoolSummary(int nodes) {
    answers = new Map[nodes];
    answerMillis = new long[nodes];
  }

  /** How long a node's answer took, its connection included. */
  void addAnswerTime(int node, long millis) {
    answerMillis[node] = millis;
  }

  /** A node has answered with those lines, one or several {@code key=value} in each. */
  void add(int node, String lines) {
    Map<String, String> answer = new HashMap<>();
    for (String line : lines.split("\n", -1)) {
      if (line.startsWith("owner=")) {
        answer.putIfAbsent("owner", line.substring("owner=".length()));
        continue;
      }
      for (String word : line.split("\\s+", -1)) {
        int equals = word.indexOf('=');
        if (equals > 0) {
          answer.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
        }
        if (word.startsWith("tenant=")) {
          tenants.computeIfAbsent(node, _ -> new TreeSet<>()).add(word);
        }
      }
    }
    answers[node] = answer;
  }

  private int count(IntPredicate which) {
    int count = 0;
    for (int node = 0; node < answers.length; node++) {
      count += which.test(node) ? 1 : 0;
    }
    return count;
  }

  /** The state of the pool as a whole. */
  State state() {
    int there = count(this::isThere);
    int withPool = count(this::hasPool);
    if (there == 0) {
      return State.UNREACHABLE;
    }
    boolean areMostThere = 2 * count(this::isLive) > answers.length;
    if (count(this::isSource) > 0 || count(this::isLoading) > 0 && !areMostThere) {
      return State.LOADING;
    }
    if (withPool == 0 && 2 * count(this::hasLog) > answers.length) {
      return State.CLOSED;
    }
    if (withPool == 0) {
      return there == answers.length ? State.EMPTY : State.UNREACHABLE;
    }
    if (isSplit()) {
      return State.SPLIT;
    }
    if (latest() == null) {
      return withPool == answers.length ? State.LIVE : State.UNREACHABLE;
    }
    if (count(this::isLive) == answers.length) {
      return State.LIVE;
    }
    if (count(this::isLive) == 0) {
      return State.UNREACHABLE;
    }
    return count(this::isOut) == 0 ? State.FILLING : State.DEGRADED;
  }

  private boolean isSplit() {
    return count(this::isForeign) > 0 || ids().size() > 1;
  }

  /** The pool in one line. */
  String line() {
    if (count(this::isThere) == 0) {
      return "pool nodes=" + answers.length + " answering=none";
    }
    String text = "pool nodes=" + answers.length + " answering=" + names(this::isThere);
    if (state() == State.LOADING) {
      return text + " loading=" + names(this::isLoading) + " state=loading";
    }
    if (state() == State.CLOSED) {
      return text + " state=closed (it is loaded from the logs when a compute node opens it)";
    }
    if (count(this::hasPool) == 0) {
      return text + " (no pool has been made here)";
    }
    String ids = ids().isEmpty() ? "" : " pool=" + String.join(",", ids());
    Map<String, String> latest = latest();
    if (latest == null) {
      return text + " copies=1" + ids + " state=" + state().name().toLowerCase(Locale.ROOT);
    }
    return text
        + " copies="
        + latest.get("copies")
        + ids
        + " view="
        + view(latest)
        + " live="
        + names(this::isLive)
        + " filling="
        + names(this::isFilling)
        + " out="
        + names(this::isOut)
        + (count(this::isForeign) == 0 ? "" : " other=" + names(this::isForeign))
        + " state="
        + state().name().toLowerCase(Locale.ROOT);
  }

  /** What people have to know of a split; empty if there is none. */
  String warning() {
    if (!isSplit()) {
      return "";
    }
    StringJoiner text = new StringJoiner("; ");
    for (int node = 0; node < answers.length; node++) {
      if (isThere(node)) {
        text.add(
            "node "
                + node
                + " serves "
                + owner(answers[node])
                + (answers[node].containsKey("pool") ? ", pool " + answers[node].get("pool") : ""));
      }
    }
    return "the memory nodes do not agree whom they serve, or which pool they are of: " + text;
  }

  /** Which nodes have answered much later than the others; empty if none has. */
  String slowness() {
    StringJoiner text = new StringJoiner("; ");
    for (int node = 0; node < answers.length; node++) {
      long usual = usualMillis(node);
      if (isThere(node)
          && usual >= 0
          && answerMillis[node] >= SLOW_MILLIS
          && answerMillis[node] > SLOW_FACTOR * usual) {
        text.add(
            "node "
                + node
                + " has answered after "
                + answerMillis[node]
                + " ms, the others after "
                + usual
                + " ms: if it is as slow for its compute node, each write waits for it");
      }
    }
    return text.toString();
  }

  /** Median of the other nodes that are there; -1 if none is. */
  private long usualMillis(int node) {
    long[] others =
        IntStream.range(0, answers.length)
            .filter(other -> other != node && isThere(other))
            .mapToLong(other -> answerMillis[other])
            .sorted()
            .toArray();
    return others.length == 0 ? -1 : others[(others.length - 1) / 2];
  }

  private boolean isThere(int node) {
    return answers[node] != null;
  }

  /** A compute node loads the pool from its log. */
  private boolean isSource(int node) {
    return isLoading(node) && answers[node].containsKey("owner");
  }

  /** It says how far its pool is loaded, by itself or by a compute node. */
  private boolean isLoading(int node) {
    return isThere(node) && answers[node].containsKey("loading");
  }

  private boolean hasPool(int node) {
    return isThere(node) && answers[node].containsKey("copies");
  }

  /** The node keeps the log of a pool whose members have been agreed on. */
  private boolean hasLog(int node) {
    return isThere(node)
        && answers[node].containsKey("log")
        && answers[node].containsKey("decision");
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

  private Set<String> ids() {
    Set<String> ids = new TreeSet<>();
    for (Map<String, String> answer : answers) {
      if (answer != null && answer.containsKey("pool")) {
        ids.add(answer.get("pool"));
      }
    }
    return ids;
  }

  private static long view(Map<String, String> answer) {
    return Long.parseLong(answer.getOrDefault("view", "0"));
  }

  private static String owner(Map<String, String> answer) {
    return answer.getOrDefault("owner", NOBODY);
  }

  /** A node that serves the compute node that those of the latest view do, else any; or -1. */
  private int commonlyOwned() {
    Map<String, String> latest = latest();
    for (int node = 0; node < answers.length; node++) {
      if (isOwned(node) && (latest == null || view(answers[node]) == view(latest))) {
        return node;
      }
    }
    return -1;
  }

  private boolean isOwned(int node) {
    return isThere(node) && !owner(answers[node]).equals(NOBODY);
  }

  /** It serves another compute node than those of the latest view, or none of those they do. */
  private boolean isForeign(int node) {
    int common = commonlyOwned();
    return common >= 0
        && isOwned(node)
        && !owner(answers[node]).equals(owner(answers[common]))
        && Collections.disjoint(tenants(node), tenants(common));
  }

  private Set<String> tenants(int node) {
    return tenants.getOrDefault(node, Set.of());
  }

  private boolean isLive(int node) {
    Map<String, String> latest = latest();
    return latest != null
        && isThere(node)
        && !isForeign(node)
        && List.of(latest.getOrDefault("live", "").split(",", -1)).contains(Integer.toString(node));
  }

  /** It says so, and somebody is there to do it. */
  private boolean isFilling(int node) {
    return isThere(node)
        && !isLive(node)
        && !isForeign(node)
        && "filling".equals(answers[node].get("role"))
        && !owner(answers[node]).equals(NOBODY);
  }

  private boolean isOut(int node) {
    return !isLive(node) && !isFilling(node) && !isForeign(node);
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
