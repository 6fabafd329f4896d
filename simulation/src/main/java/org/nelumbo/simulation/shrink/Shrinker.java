package org.nelumbo.simulation.shrink;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A shrinker of failing runs of a scenario: it tries fewer clients, transactions, keys and
 * operations, fewer and plainer faults, fewer and earlier losses of the pool. A smaller scenario
 * has another schedule, so each one is tried with the failing seed and with some more. A failing
 * one is kept and shortened again, until no smaller one fails.
 */
public final class Shrinker {
  /** A function that runs a scenario with other settings. */
  @FunctionalInterface
  public interface Runs {
    /** Runs the scenario with some settings overridden; returns true if it fails. */
    boolean fails(Map<String, String> settings, long seed);
  }

  /**
   * The smallest failing run.
   *
   * @param settings keys of the scenario file to override
   * @param seed seed that fails with them
   * @param runs number of runs it took
   */
  public record Found(Map<String, String> settings, long seed, int runs) {
    /** Returns the command that repeats the run. */
    public String command(String scenario) {
      StringBuilder command = new StringBuilder("./nelumbo sim --scenario ").append(scenario);
      settings.forEach(
          (key, value) ->
              command.append(" --set '").append(key).append('=').append(value).append('\''));
      return command.append(" --seed ").append(seed).toString();
    }
  }

  /** Numbers that may be reduced, the most effective first, with their smallest useful values. */
  private static final Map<String, Integer> NUMBERS = new LinkedHashMap<>();

  static {
    NUMBERS.put("transactions", 1);
    NUMBERS.put("clients", 1);
    NUMBERS.put("keys", 2);
    NUMBERS.put("operations", 1);
    NUMBERS.put("memory-nodes", 1);
    NUMBERS.put("crash.count", 1);
    NUMBERS.put("crash.within", 1);
  }

  /** Number of losses of the pool; without losses the other keys of the group have no meaning. */
  private static final String CRASHES = "crash.count";

  private static final String CRASH_GROUP = "crash.";

  /** Settings of faults, with the values for no faults or for the plainest ones. */
  private static final Map<String, String> FAULTS = new LinkedHashMap<>();

  static {
    FAULTS.put(CRASHES, "0");
    FAULTS.put("crash.recovery-chance", "0");
    FAULTS.put("crash.how", "stop");
    FAULTS.put("fault.stop.count", "0");
    FAULTS.put("fault.pause.every", "0ns");
    FAULTS.put("fault.loss.chance", "0");
    FAULTS.put("fault.delay.chance", "0");
    FAULTS.put("fault.clock.skew", "0ns");
    FAULTS.put("fault.clock.drift", "0");
  }

  private final Runs runs;
  private final int seedsEach;
  private int count;

  /**
   * Creates a shrinker of runs.
   *
   * @param seedsEach number of seeds tried for each smaller scenario
   */
  public Shrinker(Runs runs, int seedsEach) {
    this.runs = runs;
    this.seedsEach = seedsEach;
  }

  /**
   * Shortens a failing run.
   *
   * @param numbers current values of the scenario's numeric settings
   * @param faults keys of the scenario's faults
   * @param seed failing seed
   */
  public Found shrink(Map<String, Integer> numbers, List<String> faults, long seed) {
    Found best = new Found(Map.of(), seed, 0);
    Map<String, Integer> sizes = new LinkedHashMap<>(numbers);
    List<String> left = new ArrayList<>(faults);
    boolean progress = true;
    while (progress) {
      progress = false;
      for (String fault : List.copyOf(left)) {
        Found without =
            left.contains(fault) ? tryWith(best, fault, FAULTS.getOrDefault(fault, "0")) : null;
        if (without != null) {
          best = without;
          forget(fault, left, sizes);
          progress = true;
        }
      }
      for (String key : NUMBERS.keySet()) {
        Found smaller = sizes.containsKey(key) ? reduce(best, sizes, key) : null;
        if (smaller != null) {
          best = smaller;
          progress = true;
        }
      }
    }
    return new Found(best.settings, best.seed, count);
  }

  private static void forget(String fault, List<String> left, Map<String, Integer> sizes) {
    left.remove(fault);
    if (fault.equals(CRASHES)) {
      left.removeIf(key -> key.startsWith(CRASH_GROUP));
      sizes.keySet().removeIf(key -> key.startsWith(CRASH_GROUP));
    }
  }

  /** Tries the smallest value first, then halves of the possible reduction. */
  private Found reduce(Found from, Map<String, Integer> sizes, String key) {
    int size = sizes.get(key);
    for (int step = size - NUMBERS.get(key); step > 0; step /= 2) {
      Found found = tryWith(from, key, Integer.toString(size - step));
      if (found != null) {
        sizes.put(key, size - step);
        return found;
      }
    }
    return null;
  }

  private Found tryWith(Found from, String key, String value) {
    Map<String, String> settings = new LinkedHashMap<>(from.settings);
    settings.put(key, value);
    for (int i = 0; i < seedsEach; i++) {
      long seed = from.seed + i;
      count++;
      if (runs.fails(settings, seed)) {
        return new Found(settings, seed, count);
      }
    }
    return null;
  }
}
