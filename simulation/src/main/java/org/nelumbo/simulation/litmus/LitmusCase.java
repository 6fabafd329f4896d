package org.nelumbo.simulation.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fault.StopPoint;

/**
 * One run of a litmus test: which script, how, on which schedule, and who stops where.
 *
 * @param script what is run
 * @param isolation of its transactions
 * @param policy what they do about locks of others
 * @param seed of the schedule
 * @param victim number of the transaction that stops; negative if none does
 * @param stop where it stops; null if nobody does
 */
public record LitmusCase(
    LitmusScript script,
    Isolation isolation,
    ConflictPolicy policy,
    long seed,
    int victim,
    StopPoint stop) {
  /** Nobody stops. */
  public static LitmusCase undisturbed(
      LitmusScript script, Isolation isolation, ConflictPolicy policy, long seed) {
    return new LitmusCase(script, isolation, policy, seed, -1, null);
  }

  /** This case with a transaction that stops. */
  public LitmusCase stopping(int transaction, StopPoint point) {
    return new LitmusCase(script, isolation, policy, seed, transaction, point);
  }

  /** This case on another schedule. */
  public LitmusCase withSeed(long other) {
    return new LitmusCase(script, isolation, policy, other, victim, stop);
  }

  /** All cases with one transaction less; the victim stays. */
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

  /** All cases with one step less in one transaction that has several. */
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

  /** The command that runs it again. */
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
