package org.nelumbo.simulation.scenario;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report at the end of a soak: failures, one table, one line for scripts. */
final class SoakSummary {
  private static final double SECOND = 1e9;
  private static final double PERCENT = 100;

  private final String scenario;
  private final String fabric;
  private final boolean isSum;
  private final long firstSeed;
  private final SoakTotals totals;
  private final double seconds;

  /**
   * Creates a report.
   *
   * @param wallNanos wall-clock time, or 0 if it was not measured
   */
  SoakSummary(Scenario scenario, long firstSeed, SoakTotals totals, long wallNanos) {
    this(scenario.name(), scenario.fabric().name(), false, firstSeed, totals, wallNanos);
  }

  private SoakSummary(
      String scenario,
      String fabric,
      boolean isSum,
      long firstSeed,
      SoakTotals totals,
      long wallNanos) {
    this.isSum = isSum;
    this.scenario = scenario;
    this.fabric = fabric;
    this.firstSeed = firstSeed;
    this.totals = totals;
    this.seconds = wallNanos / SECOND;
  }

  /** Creates a report on all scenarios together. */
  static SoakSummary ofAll(long firstSeed, SoakTotals totals, long wallNanos) {
    return new SoakSummary("all", "any", true, firstSeed, totals, wallNanos);
  }

  void failure(ScenarioResult failure, String replay, PrintWriter out) {
    out.println();
    out.println(
        "seed " + failure.seed() + " FAILED after " + failure.committed() + " transactions:");
    failure.faults().injected().forEach(out::println);
    out.println(failure.failure().getMessage());
    for (Throwable cause = failure.failure().getCause(); cause != null; cause = cause.getCause()) {
      out.println("caused by " + cause);
      for (StackTraceElement frame : cause.getStackTrace()) {
        if (frame.getClassName().startsWith("org.nelumbo")) {
          out.println("    at " + frame);
        }
      }
    }
    out.println("Replay it with a trace:");
    out.println("  " + replay);
  }

  private long seedsWith(String kind) {
    return Math.round(PERCENT * totals.seedsWith(kind) / Math.max(1, totals.runs()));
  }

  private String shares() {
    return totals.faultsByKind().isEmpty()
        ? ""
        : totals.faultsByKind().keySet().stream()
            .map(kind -> kind + ":" + seedsWith(kind))
            .collect(Collectors.joining(",", " seeds_with_%=", ""));
  }

  private double perSecond(long count) {
    return seconds == 0 ? 0 : count / seconds;
  }

  void table(PrintWriter out) {
    out.println();
    row(out, "scenario", scenario + " on " + fabric);
    row(out, "seeds", number(totals.runs()) + " from " + firstSeed);
    row(out, "committed", number(totals.committed()));
    row(out, "conflicts", number(totals.conflicts()));
    row(out, "pool full", number(totals.exhausted()));
    row(out, "pool lost", number(totals.lost()));
    row(out, "outcome unknown", number(totals.unknown()));
    row(out, "schema changes", number(totals.schemaChanges()));
    row(out, "  refused", number(totals.schemaRefusals()));
    row(out, "faults", number(totals.faults()));
    totals
        .faultsByKind()
        .forEach(
            (kind, count) ->
                row(
                    out,
                    "  " + kind,
                    number(count) + " in " + seedsWith(kind) + " % of the seeds"));
    row(out, "round trips", number(totals.flushes()));
    row(out, "verbs", number(totals.verbs()));
    row(out, "virtual time", String.format(Locale.ROOT, "%.3f s", totals.virtualNanos() / SECOND));
    if (seconds > 0) {
      row(out, "wall time", String.format(Locale.ROOT, "%.1f s", seconds));
      row(out, "transactions/s", number(Math.round(perSecond(totals.committed()))));
    }
    row(out, "failed seeds", number(totals.violations()));
  }

  private static void row(PrintWriter out, String name, String value) {
    out.printf(Locale.ROOT, "  %-20s %s%n", name, value);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  void result(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s simulation=%s fabric=%s first_seed=%d seeds=%d committed=%d conflicts=%d"
            + " exhausted=%d lost=%d unknown=%d schema=%d faults=%d"
            + "%s steps=%d tps=%.0f wall_s=%.1f hash=%016x"
            + " violations=%d%n",
        isSum ? "TOTAL" : "RESULT",
        scenario,
        fabric,
        firstSeed,
        totals.runs(),
        totals.committed(),
        totals.conflicts(),
        totals.exhausted(),
        totals.lost(),
        totals.unknown(),
        totals.schemaChanges(),
        totals.faults(),
        shares(),
        totals.steps(),
        perSecond(totals.committed()),
        seconds,
        totals.hash(),
        totals.violations());
  }
}
