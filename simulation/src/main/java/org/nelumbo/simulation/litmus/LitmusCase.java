package org.nelumbo.simulation.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fault.StopPoint;

/**
 * One run of a litmus test: its script, its settings, its schedule, and the transaction that stops.
 *
 * @param script script to run
 * @param isolation isolation level of its transactions
 * @param policy how they handle conflicting locks
 * @param seed seed of the schedule
 * @param victim index of the transaction that stops; negative if none does
 * @param stop point at which it stops; null if none does
 */
public record LitmusCase(
    LitmusScript script,
    Isolation isolation,
    ConflictPolicy policy,
    long seed,
    int victim,
    StopPoint stop) {
  /** Returns a case in which no transaction stops. */
  public static LitmusCase undisturbed(
      LitmusScript script, Isolation isolation, ConflictPolicy policy, long seed) {
    return new LitmusCase(script, isolation, policy, seed, -1, null);
  }

  /** Returns this case with a transaction that stops. */
  public LitmusCase stopping(int transaction, StopPoint point) {
    return new LitmusCase(script, isolation, policy, seed, transaction, point);
  }

  /** Returns this case on another schedule. */
  public LitmusCase withSeed(long other) {
    return new LitmusCase(script, isolation, policy, other, victim, stop);
  }

  /** Returns all cases with one transaction less; the victim stays. */
  public List<LitmusCase> withoutOneTransaction() {
    List<LitmusCase> all = new ArrayList<>();
    for (int i = 0; i < script.transactions().size() && script.transactions().size() > 1; i++) {
      if (i != victim) {
        List<LitmusScript.Script> left = new ArrayList<>(script.transactions());
        left.remove(i);
        int moved = i < victim ? victim - 1 : victim;
        all.add(
            new LitmusCase(script.withTransactions(left), isolation, policy, seed, moved, stop));
      }
    }
    return all;
  }

  /** Returns all cases with one step less in a transaction that has several. */
  public List<LitmusCase> withoutOneStep() {
    List<LitmusCase> all = new ArrayList<>();
    for (int i = 0; i < script.transactions().size(); i++) {
      LitmusScript.Script from = script.transactions().get(i);
      for (int step = 0; step < from.steps().size() && from.steps().size() > 1; step++) {
        List<LitmusScript.Script> changed = new ArrayList<>(script.transactions());
        changed.set(i, from.without(step));
        all.add(
            new LitmusCase(
                script.withTransactions(changed), isolation, policy, seed, victim, stop));
      }
    }
    return all;
  }

  /** Returns the command that repeats the run. */
  public String command() {
    return "nelumbo sim litmus "
        + script.name()
        + " --isolation "
        + (isolation == Isolation.SERIALIZABLE ? "SR" : "SI")
        + " --conflict "
        + policy.name().toLowerCase(Locale.ROOT).replace('_', '-')
        + " --seed "
        + seed
        + (stop == null ? "" : " --stop " + script.transactions().get(victim).name() + "@" + stop);
  }
}
