package org.nelumbo.simulation.instrument;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.simulation.scenario.DefectCommand;

/**
 * Each defect that is put back into the engine is found by its scenario within the stated number of
 * seeds; the engine as it is passes the seed that finds it.
 */
class DefectTest {
  private static final Function<Defect, ClassLoader> LOADERS = DefectCommand.load(Defect.all());

  static List<Defect> defects() {
    return Defect.all();
  }

  @ParameterizedTest
  @MethodSource("defects")
  void shouldFindTheDefect(Defect defect) {
    LongFunction<String> broken = DefectCommand.runner(LOADERS.apply(defect), defect, true);
    long seed = defect.firstSeed();
    while (seed <= defect.lastSeed() && broken.apply(seed) == null) {
      seed++;
    }
    assertTrue(seed <= defect.lastSeed(), () -> "survives: " + defect);
    System.out.printf("defect %s found by seed %d%n", defect.name(), seed);
    assertNull(DefectCommand.runner(LOADERS.apply(defect), defect, false).apply(seed));
  }

  @Test
  void shouldRefuseDefectsOfCodeThatIsNotThere() {
    Defect gone =
        new Defect(
            1,
            "gone",
            List.of(CodeEdit.parse("Committer#commit skip Committer.noSuchMethod")),
            "bank",
            Map.of(),
            1,
            1,
            "nothing");
    assertThrows(
        IllegalArgumentException.class, () -> new InstrumentedLoader(false, List.of(gone)));
  }
}
