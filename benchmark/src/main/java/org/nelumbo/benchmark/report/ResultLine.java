package org.nelumbo.benchmark.report;

import java.util.StringJoiner;

/**
 * The line for scripts: {@code RESULT} and {@code key=value} pairs, separated by single spaces.
 * Values contain no spaces and are not empty: a pair without a value is omitted. Keys may be added,
 * never renamed.
 */
public final class ResultLine {
  private ResultLine() {}

  /** Returns the line of a run. */
  public static String of(RunResult result) {
    Pairs pairs = new Pairs();
    RunResult.Target database = result.database();
    TypeResult total = result.total();
    pairs.add("benchmark", result.benchmark());
    pairs.add("url", database.url());
    pairs.add("api", database.api());
    pairs.add("terminals", result.terminals());
    pairs.add("committed", total.committed());
    pairs.add("tps", Numbers.of(result.committedPerSecond()));
    result.metrics().forEach(metric -> pairs.add(metric.key(), Numbers.of(metric.value())));
    pairs.add("aborts", total.aborts());
    pairs.add("p99_us", Numbers.of(total.latencyMicros().p99()));
    pairs.add("consistent", result.consistent());
    pairs.add("retries", total.retries());
    pairs.add("rollbacks", total.rolledBack());
    pairs.add("gave_up", total.gaveUp());
    pairs.add("unknown", total.unknown());
    pairs.add("isolation", database.isolation());
    pairs.add("loop", result.load().loop());
    if (result.load().open()) {
      pairs.add("rate", Numbers.of(result.load().offeredPerSecond()));
      pairs.add("not_started", result.load().notStarted());
    }
    pairs.add("service_p99_us", Numbers.of(total.serviceMicros().p99()));
    pairs.add("seconds", Numbers.of(result.measuredSeconds()));
    pairs.add("seed", result.seed());
    result.parameters().forEach(pairs::add);
    return pairs.joiner.toString();
  }

  private static final class Pairs {
    private final StringJoiner joiner = new StringJoiner(" ").add("RESULT");

    void add(String key, Object value) {
      String text = value.toString().strip().replaceAll("\\s+", "%20");
      if (!text.isEmpty()) {
        joiner.add(key + "=" + text);
      }
    }
  }
}
