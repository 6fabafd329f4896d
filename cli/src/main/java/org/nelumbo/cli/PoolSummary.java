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
 * Summary of the responses of all memory nodes of a pool. The latest view in any response decides
 * which of the responding nodes are live. A node that was excluded from the view does not detect
 * that itself: a node that claims to be live in an earlier view is out. A node that serves another
 * compute node than the nodes of the latest view is neither live nor out.
 */
final class PoolSummary {
  private static final String NOBODY = "nobody";

  /** A node is slow if its response took this many times the usual response time. */
  private static final int SLOW_FACTOR = 5;

  /** Response times below this are never slow: most of them is the time for connecting. */
  private static final long SLOW_MILLIS = 200;

  private final Map<String, String>[] replies;
  private final long[] replyMillis;

  /** Compute nodes that share each memory node; empty if its pool is exclusive or not in use. */
  private final Map<Integer, Set<String>> tenants = new HashMap<>();

  /** State of a pool as a whole, with the exit status that reports it. */
  enum State {
    /** All nodes respond, and are complete. */
    LIVE(0),
    /** No node responds, or the missing nodes have the only copies of their parts. */
    UNREACHABLE(3),
    /** A node is missing or excluded; other nodes have live copies of its part. */
    DEGRADED(4),
    /** A node is being filled; no other node is missing. */
    FILLING(5),
    /**
     * The pool is being loaded from a log, by a compute node or by memory nodes while too few are
     * live.
     */
    LOADING(5),
    /** Only the logs of the nodes contain the pool; the next process that opens it loads it. */
    CLOSED(5),
    /** The nodes are empty. */
    EMPTY(6),
    /** The nodes serve different compute nodes, or belong to different pools. */
    SPLIT(7);

    private final int exitStatus;

    State(int exitStatus) {
      this.exitStatus = exitStatus;
    }

    int exitStatus() {
      return exitStatus;
    }
  }

  /** Creates a summary of nodes that have not responded yet. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  PoolSummary(int nodes) {
    replies = new Map[nodes];
    replyMillis = new long[nodes];
  }

  /** Sets the response time of a node, including the time for connecting. */
  void addReplyTime(int node, long millis) {
    replyMillis[node] = millis;
  }

  /** Adds the response of a node: lines with one or several {@code key=value} pairs. */
  void add(int node, String lines) {
    Map<String, String> reply = new HashMap<>();
    for (String line : lines.split("\n", -1)) {
      if (line.startsWith("owner=")) {
        reply.putIfAbsent("owner", line.substring("owner=".length()));
        continue;
      }
      for (String word : line.split("\\s+", -1)) {
        int equals = word.indexOf('=');
        if (equals > 0) {
          reply.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
        }
        if (word.startsWith("tenant=")) {
          tenants.computeIfAbsent(node, _ -> new TreeSet<>()).add(word);
        }
      }
    }
    replies[node] = reply;
  }

  private int count(IntPredicate which) {
    int count = 0;
    for (int node = 0; node < replies.length; node++) {
      count += which.test(node) ? 1 : 0;
    }
    return count;
  }

  /** Returns the state of the pool as a whole. */
  State state() {
    int there = count(this::isThere);
    int withPool = count(this::hasPool);
    if (there == 0) {
      return State.UNREACHABLE;
    }
    boolean areMostThere = 2 * count(this::isLive) > replies.length;
    if (count(this::isSource) > 0 || count(this::isLoading) > 0 && !areMostThere) {
      return State.LOADING;
    }
    if (withPool == 0 && 2 * count(this::hasLog) > replies.length) {
      return State.CLOSED;
    }
    if (withPool == 0) {
      return there == replies.length ? State.EMPTY : State.UNREACHABLE;
    }
    if (isSplit()) {
      return State.SPLIT;
    }
    if (latest() == null) {
      return withPool == replies.length ? State.LIVE : State.UNREACHABLE;
    }
    if (count(this::isLive) == replies.length) {
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

  /** Returns the pool as one line. */
  String line() {
    if (count(this::isThere) == 0) {
      return "pool nodes=" + replies.length + " answering=none";
    }
    String text = "pool nodes=" + replies.length + " answering=" + names(this::isThere);
    if (state() == State.LOADING) {
      return text + " loading=" + names(this::isLoading) + " state=loading";
    }
    if (state() == State.CLOSED) {
      return text + " state=closed (it is loaded from the logs when a compute node opens it)";
    }
    if (count(this::hasPool) == 0) {
      return text + " (no pool has been created here)";
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

  /** Returns a warning for users about a split pool; empty if it is not split. */
  String warning() {
    if (!isSplit()) {
      return "";
    }
    StringJoiner text = new StringJoiner("; ");
    for (int node = 0; node < replies.length; node++) {
      if (isThere(node)) {
        text.add(
            "node "
                + node
                + " serves "
                + owner(replies[node])
                + (replies[node].containsKey("pool") ? ", pool " + replies[node].get("pool") : ""));
      }
    }
    return "the memory nodes serve different compute nodes or belong to different pools: " + text;
  }

  /** Returns a message about slow nodes; empty if there are none. */
  String slowness() {
    StringJoiner text = new StringJoiner("; ");
    for (int node = 0; node < replies.length; node++) {
      long usual = usualMillis(node);
      if (isThere(node)
          && usual >= 0
          && replyMillis[node] >= SLOW_MILLIS
          && replyMillis[node] > SLOW_FACTOR * usual) {
        text.add(
            "node "
                + node
                + " responded after "
                + replyMillis[node]
                + " ms, the others after "
                + usual
                + " ms: if it is as slow for its compute nodes, it delays each write");
      }
    }
    return text.toString();
  }

  private long usualMillis(int node) {
    long[] others =
        IntStream.range(0, replies.length)
            .filter(other -> other != node && isThere(other))
            .mapToLong(other -> replyMillis[other])
            .sorted()
            .toArray();
    return others.length == 0 ? -1 : others[(others.length - 1) / 2];
  }

  private boolean isThere(int node) {
    return replies[node] != null;
  }

  /** Returns true if a compute node is loading the pool from the log of this node. */
  private boolean isSource(int node) {
    return isLoading(node) && replies[node].containsKey("owner");
  }

  /** Returns true if the node's pool is being loaded, by the node itself or by a compute node. */
  private boolean isLoading(int node) {
    return isThere(node) && replies[node].containsKey("loading");
  }

  private boolean hasPool(int node) {
    return isThere(node) && replies[node].containsKey("copies");
  }

  /** Returns true if the node has the log of a pool whose membership was decided. */
  private boolean hasLog(int node) {
    return isThere(node)
        && replies[node].containsKey("log")
        && replies[node].containsKey("decision");
  }

  /** Returns the response with the latest view, or null if no response contains a view. */
  private Map<String, String> latest() {
    Map<String, String> found = null;
    for (Map<String, String> reply : replies) {
      if (reply != null && view(reply) > (found == null ? 0 : view(found))) {
        found = reply;
      }
    }
    return found;
  }

  private Set<String> ids() {
    Set<String> ids = new TreeSet<>();
    for (Map<String, String> reply : replies) {
      if (reply != null && reply.containsKey("pool")) {
        ids.add(reply.get("pool"));
      }
    }
    return ids;
  }

  private static long view(Map<String, String> reply) {
    return Long.parseLong(reply.getOrDefault("view", "0"));
  }

  private static String owner(Map<String, String> reply) {
    return reply.getOrDefault("owner", NOBODY);
  }

  /**
   * Returns a node that serves the same compute node as the nodes of the latest view, else any node
   * with an owner; -1 if there is none.
   */
  private int commonlyOwned() {
    Map<String, String> latest = latest();
    for (int node = 0; node < replies.length; node++) {
      if (isOwned(node) && (latest == null || view(replies[node]) == view(latest))) {
        return node;
      }
    }
    return -1;
  }

  private boolean isOwned(int node) {
    return isThere(node) && !owner(replies[node]).equals(NOBODY);
  }

  /**
   * Returns true if the node serves a different compute node than the nodes of the latest view, and
   * shares no compute node with them.
   */
  private boolean isForeign(int node) {
    int common = commonlyOwned();
    return common >= 0
        && isOwned(node)
        && !owner(replies[node]).equals(owner(replies[common]))
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

  /** Returns true if the node is being filled and has an owner that fills it. */
  private boolean isFilling(int node) {
    return isThere(node)
        && !isLive(node)
        && !isForeign(node)
        && "filling".equals(replies[node].get("role"))
        && !owner(replies[node]).equals(NOBODY);
  }

  private boolean isOut(int node) {
    return !isLive(node) && !isFilling(node) && !isForeign(node);
  }

  private String names(IntPredicate which) {
    StringJoiner names = new StringJoiner(",");
    names.setEmptyValue("none");
    for (int node = 0; node < replies.length; node++) {
      if (which.test(node)) {
        names.add(Integer.toString(node));
      }
    }
    return names.toString();
  }
}
