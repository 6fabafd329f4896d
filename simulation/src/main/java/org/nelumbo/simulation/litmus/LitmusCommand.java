package org.nelumbo.simulation.litmus;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.nelumbo.history.HistoryText;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.trace.Trace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sim litmus}: runs all schedules and stops of litmus tests, or one run with its
 * trace. Exit status 0 if every check passed, 1 if one failed, 2 for wrong usage.
 */
@Command(
    name = "litmus",
    mixinStandardHelpOptions = true,
    description = {
      "Runs litmus tests on many schedules, and with a coordinator that stops at each of its",
      "steps. With --seed, makes one run and prints its event trace.",
      "docs/internals/checkers.md describes the tests."
    })
public final class LitmusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "name of the litmus test (default: all)")
  private String name;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "schedules of each test at each isolation level and policy (default: ${DEFAULT-VALUE})",
      defaultValue = "150")
  private int seeds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "make one run with the schedule of this seed")
  private Long seed;

  @Option(
      names = "--isolation",
      paramLabel = "SR|SI",
      description = "isolation level of the run (default: ${DEFAULT-VALUE})",
      defaultValue = "SR")
  private String isolation;

  @Option(
      names = "--conflict",
      paramLabel = "wait-die|no-wait",
      description = "conflict policy of the run (default: ${DEFAULT-VALUE})",
      defaultValue = "wait-die")
  private String conflict;

  @Option(
      names = "--stop",
      paramLabel = "T1@KIND:N",
      description = "transaction that stops in the run, at its N-th post, verb, flush or flushed")
  private String stop;

  @Override
  public Integer call() throws IOException {
    return seed == null ? all() : one();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private LitmusScript load(String which) {
    try {
      return LitmusScript.load(which);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int all() {
    int[] failed = {0};
    LitmusSuite suite =
        new LitmusSuite(
            new LitmusRun(),
            failure -> {
              failed[0]++;
              out().println(failure);
            });
    for (String each : name == null ? LitmusScript.names() : List.of(name)) {
      LitmusScript script = load(each);
      for (Isolation level : Isolation.values()) {
        suite.schedules(script, level, seeds);
        for (ConflictPolicy policy : ConflictPolicy.values()) {
          suite.stops(script, level, policy, 1);
        }
      }
      out().println(each + ": " + script.about());
    }
    out()
        .printf(
            "RESULT litmus runs=%d stops=%d failures=%d%n", suite.runs(), suite.stops(), failed[0]);
    out().flush();
    return failed[0] == 0 ? 0 : 1;
  }

  private int one() {
    if (name == null) {
      throw new ParameterException(spec.commandLine(), "--seed is for one NAME");
    }
    LitmusResult result = new LitmusRun().run(what(), Trace.to(out()));
    out().println();
    out().print(HistoryText.format(result.history()));
    out().println("outcome " + result.outcome());
    out().println("left    " + result.left());
    if (result.stopped()) {
      out().println("recovered " + result.recovered());
    }
    out().println(result.problem() == null ? "ok" : "PROBLEM " + result.problem());
    out().flush();
    return result.problem() == null ? 0 : 1;
  }

  private LitmusCase what() {
    LitmusScript script = load(name);
    try {
      Isolation level =
          isolation.equalsIgnoreCase("SR") ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT;
      ConflictPolicy policy =
          ConflictPolicy.valueOf(conflict.toUpperCase(Locale.ROOT).replace('-', '_'));
      LitmusCase what = LitmusCase.undisturbed(script, level, policy, seed);
      return stop == null ? what : stopping(what, script);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private LitmusCase stopping(LitmusCase what, LitmusScript script) {
    String[] parts = stop.split("[@:]", 3);
    int victim = -1;
    for (int i = 0; i < script.transactions().size(); i++) {
      victim = script.transactions().get(i).name().equals(parts[0]) ? i : victim;
    }
    if (parts.length < 3 || victim < 0) {
      throw new IllegalArgumentException("--stop is like T1@post:5, not " + stop);
    }
    StopPoint.Kind kind = StopPoint.Kind.valueOf(parts[1].toUpperCase(Locale.ROOT));
    return what.stopping(victim, new StopPoint(kind, Long.parseLong(parts[2])));
  }
}
