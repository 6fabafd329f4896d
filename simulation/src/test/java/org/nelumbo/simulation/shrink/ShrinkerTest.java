package org.nelumbo.simulation.shrink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private static final Map<String, Integer> SIZES = new LinkedHashMap<>();

  static {
    SIZES.put("transactions", 150);
    SIZES.put("clients", 6);
    SIZES.put("keys", 12);
  }

  private static int number(Map<String, String> settings, String key) {
    return Integer.parseInt(settings.getOrDefault(key, SIZES.get(key).toString()));
  }

  @Test
  void shouldFindTheSmallestThatFails() {
    Shrinker shrinker =
        new Shrinker(
            (settings, seed) ->
                number(settings, "transactions") >= 7
                    && number(settings, "clients") >= 2
                    && !settings.containsKey("fault.delay.chance"),
            3);
    Shrinker.Found found =
        shrinker.shrink(SIZES, List.of("fault.pause.every", "fault.delay.chance"), 5);
    assertEquals(
        "./nelumbo sim --scenario bank --set 'fault.pause.every=0ns' --set 'transactions=7' --set"
            + " 'clients=2' --set 'keys=2' --seed 5",
        found.command("bank"));
  }

  @Test
  void shouldTryFurtherSeedsForSmallerScenarios() {
    Set<Long> seeds = new HashSet<>();
    Shrinker shrinker =
        new Shrinker(
            (settings, seed) -> {
              seeds.add(seed);
              return number(settings, "clients") >= 3 && seed % 4 == 0;
            },
            4);
    Shrinker.Found found = shrinker.shrink(Map.of("clients", 6), List.of(), 8);
    assertEquals(Map.of("clients", "3"), found.settings());
    assertEquals(8, found.seed());
    assertEquals(Set.of(8L, 9L, 10L, 11L), seeds);
  }

  @Test
  void shouldReduceCrashesToFewestAndEarliest() {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    sizes.put("crash.count", 4);
    sizes.put("crash.within", 2000);
    List<String> crashes = List.of("crash.count", "crash.recovery-chance", "crash.how");
    Shrinker shrinker =
        new Shrinker(
            (settings, seed) ->
                Integer.parseInt(settings.getOrDefault("crash.count", "4")) >= 2
                    && Integer.parseInt(settings.getOrDefault("crash.within", "2000")) >= 30
                    && !settings.containsKey("crash.how"),
            2);
    assertEquals(
        Map.of("crash.count", "2", "crash.within", "30", "crash.recovery-chance", "0"),
        shrinker.shrink(sizes, crashes, 1).settings());
  }

  @Test
  void shouldOmitCrashSettingsWithoutCrashes() {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    sizes.put("crash.count", 4);
    sizes.put("crash.within", 2000);
    List<String> crashes = List.of("crash.count", "crash.recovery-chance", "crash.how");
    Shrinker shrinker = new Shrinker((settings, seed) -> true, 2);
    assertEquals(Map.of("crash.count", "0"), shrinker.shrink(sizes, crashes, 1).settings());
  }

  @Test
  void shouldKeepScenarioThatCannotShrink() {
    Shrinker shrinker = new Shrinker((settings, seed) -> false, 2);
    assertEquals(Map.of(), shrinker.shrink(SIZES, List.of("fault.stop.count"), 1).settings());
  }
}
