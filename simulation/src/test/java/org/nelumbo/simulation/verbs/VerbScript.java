package org.nelumbo.simulation.verbs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.simulation.fabric.FaultHooks;
import org.nelumbo.simulation.trace.PoolContentMap;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimTaskBody;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The text of a verb trace: for each step of a script the flushes of an engine, and the verbs of
 * each flush in the order in which they were posted. Objects in the pool are numbered in order of
 * first appearance. On a replicated pool the verbs sent to memory nodes follow those of the engine,
 * in the order in which they are sent.
 */
final class VerbScript implements FaultHooks {
  private static final Pattern ADDRESS = Pattern.compile("(\\w+ )?(\\d+:0x[0-9a-f]+)");
  private static final Pattern NUMBER = Pattern.compile("(?<=[a-z] )\\d+");
  private static final Pattern ENTRY = Pattern.compile("\\[\\d+\\]");
  private static final int PERIOD_MAX = 8;
  private static final int MANY = 4;
  private static final Pattern NODE = Pattern.compile("mn(\\d+) life \\d+");

  /** Verbs that are sent to one memory node in succession. */
  private record Burst(String to, List<String> verbs) {
    @Override
    public String toString() {
      StringBuilder line = new StringBuilder(to).append(':');
      String separator = " ";
      for (int from = 0, to; from < verbs.size(); from = to) {
        for (to = from; to < verbs.size() && verbs.get(to).equals(verbs.get(from)); ) {
          to++;
        }
        line.append(separator)
            .append(verbs.get(from))
            .append(to - from > 1 ? " x" + (to - from) : "");
        separator = ", ";
      }
      return line.toString();
    }
  }

  private final SimWorld world;
  private final PoolContentMap map = new PoolContentMap();
  private final StringBuilder text = new StringBuilder();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();

  /** Verbs that have been sent and are not in the text yet. */
  private final List<Burst> bursts = new ArrayList<>();

  /** Task whose verbs are recorded; null for none. */
  private SimTask traced;

  /** True if the verbs of all tasks are recorded. */
  private boolean areAllTraced;

  /** Number of flushes after which the task is stopped; 0 if it is not stopped. */
  private int flushesLeft;

  VerbScript(SimWorld world) {
    this.world = world;
  }

  PoolContentMap map() {
    return map;
  }

  String text() {
    return text.toString();
  }

  Fabric traced(Fabric fabric) {
    return new TracedFabric(fabric, this);
  }

  /** Runs an action and records the verbs of this task. */
  void step(String what, SimTaskBody action) throws Exception {
    text.append(text.isEmpty() ? "" : "\n").append("# ").append(what).append('\n');
    traced = world.current();
    try {
      action.run();
    } finally {
      writeBursts();
      traced = null;
    }
  }

  /** Runs an action and records the verbs that all tasks send to memory nodes meanwhile. */
  void stepOfAll(String what, SimTaskBody action) throws Exception {
    text.append("\n# ").append(what).append('\n');
    areAllTraced = true;
    try {
      action.run();
    } finally {
      areAllTraced = false;
      writeBursts();
    }
  }

  /** Repeats an action until its trace contains a verb, and records only the last repetition. */
  void stepUntil(String verb, String what, SimTaskBody action) throws Exception {
    while (true) {
      int start = text.length();
      Map<String, String> namesBefore = Map.copyOf(names);
      Map<String, Integer> countsBefore = Map.copyOf(counts);
      step(what, action);
      if (text.indexOf(verb, start) >= 0) {
        return;
      }
      text.setLength(start);
      names.clear();
      names.putAll(namesBefore);
      counts.clear();
      counts.putAll(countsBefore);
    }
  }

  /** Stops the task of the next step after the given number of flushes. */
  void stopAfter(int flushes) {
    flushesLeft = flushes;
  }

  /** Runs a flush and records its verbs if it belongs to the script. */
  void flush(List<String> verbs, Runnable flush) {
    SimTask task = world.current();
    if (!isTraced(task) || verbs.isEmpty()) {
      flush.run();
      return;
    }
    writeBursts();
    text.append(areAllTraced ? "flush of " + task.name() : "flush").append('\n');
    writeVerbs(verbs.stream().map(this::named).toList());
    try {
      flush.run();
    } finally {
      writeBursts();
    }
    if (flushesLeft > 0 && --flushesLeft == 0) {
      traced = null;
      text.append("stopped\n");
      world.stop(task);
      world.checkAlive();
    }
  }

  private boolean isTraced(SimTask task) {
    return areAllTraced || traced != null && traced == task;
  }

  /**
   * Writes verbs. Of a sequence that repeats for other objects it writes only the first occurrence.
   */
  private void writeVerbs(List<String> verbs) {
    List<String> forms = verbs.stream().map(VerbScript::form).toList();
    for (int at = 0; at < verbs.size(); ) {
      int period = 1;
      int repeats = 1;
      for (int p = 1; p <= PERIOD_MAX; p++) {
        int count = repeats(forms, at, p);
        if (count * p > repeats * period) {
          period = p;
          repeats = count;
        }
      }
      boolean areMany = repeats > 1 && (repeats - 1) * period >= MANY;
      int end = areMany ? at + period : at + 1;
      verbs.subList(at, end).forEach(verb -> text.append("  ").append(verb).append('\n'));
      if (areMany) {
        text.append("  and ").append(repeats - 1).append(" times more\n");
      }
      at = areMany ? at + repeats * period : end;
    }
  }

  /** Returns how many times the sequence of verbs at an index occurs in succession, at least 1. */
  private static int repeats(List<String> forms, int at, int period) {
    int count = 1;
    for (int next = at + period; next + period <= forms.size(); next += period) {
      if (!forms.subList(next, next + period).equals(forms.subList(at, at + period))) {
        break;
      }
      count++;
    }
    return count;
  }

  private static String form(String verb) {
    String withoutNumbers = NUMBER.matcher(verb).replaceAll("");
    return ENTRY.matcher(withoutNumbers).replaceAll("");
  }

  private void writeBursts() {
    bursts.forEach(burst -> text.append("    ").append(burst).append('\n'));
    bursts.clear();
  }

  @Override
  public void leaves(SimTask task, String fabric, String verb, long address, int length) {
    Matcher node = NODE.matcher(fabric);
    if (!isTraced(task) || !node.matches()) {
      return;
    }
    String to = (areAllTraced ? task.name() + " to " : "") + "node " + node.group(1);
    if (bursts.isEmpty() || !bursts.getLast().to.equals(to)) {
      bursts.add(new Burst(to, new ArrayList<>()));
    }
    String name = length == Long.BYTES ? verb.replace("8", "") : verb + " " + length;
    bursts.getLast().verbs.add(name);
  }

  /** Replaces addresses by names. */
  private String named(String line) {
    Matcher matcher = ADDRESS.matcher(line);
    StringBuilder out = new StringBuilder();
    while (matcher.find()) {
      String kind = matcher.group(1) == null ? "block " : matcher.group(1);
      matcher.appendReplacement(
          out, names.computeIfAbsent(matcher.group(2), address -> nextName(kind)));
    }
    return matcher.appendTail(out).toString();
  }

  private String nextName(String kind) {
    return kind + counts.merge(kind, 1, Integer::sum);
  }
}
