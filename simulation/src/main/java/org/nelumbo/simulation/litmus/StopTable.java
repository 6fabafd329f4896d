package org.nelumbo.simulation.litmus;

import java.util.List;
import java.util.Locale;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.trace.Trace;

/**
 * The table of the state left by a coordinator that stops at each of its steps: its last traced
 * action, its locks and INVISIBLE cells, the outcome of the others, and the rows after recovery.
 */
public final class StopTable {
  private StopTable() {}

  /**
   * Returns the table of one transaction.
   *
   * @param victim index of the transaction that stops
   * @param kind kind of the steps
   */
  public static String of(
      LitmusRun run,
      LitmusScript script,
      Isolation isolation,
      ConflictPolicy policy,
      long seed,
      int victim,
      StopPoint.Kind kind) {
    StringBuilder table = new StringBuilder();
    LitmusCase base = LitmusCase.undisturbed(script, isolation, policy, seed);
    String who = "cn0/" + script.transactions().get(victim).name();
    for (int step = 1; ; step++) {
      StringBuilder trace = new StringBuilder();
      LitmusCase what = base.stopping(victim, new StopPoint(kind, step));
      LitmusResult result = run.run(what, Trace.to(trace));
      if (!result.stopped()) {
        return table.toString();
      }
      table.append(
          String.format(
              Locale.ROOT,
              "%-10s after %s\n%-10s left %s\n%-10s outcome %s\n%-10s recovered %s\n",
              what.stop(),
              lastOf(trace.toString(), who),
              "",
              result.left(),
              "",
              result.outcome(),
              "",
              result.recovered()));
    }
  }

  /** Returns the last line of a task before its stop: the verb, and the code that posted it. */
  private static String lastOf(String trace, String who) {
    String last = "its start";
    List<String> lines = trace.lines().filter(line -> line.contains("  " + who + " ")).toList();
    for (String line : lines) {
      String what = line.substring(line.indexOf(who) + who.length()).strip();
      if (what.startsWith("FAULT")) {
        return last;
      }
      last = what.replaceFirst("^(\\w+) .* by ", "$1 by ");
    }
    return last;
  }
}
