package org.nelumbo.simulation.instrument;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.simulation.scenario.DefectCommand;

/**
 * Plants each frequently detected defect into the engine: one of the first seeds of its scenario
 * detects it, and the unchanged engine passes that seed. {@code nelumbo sim defects} also searches
 * for the other defects.
 */
class DefectTest {
  /** If one seed in eight detects a defect, all of these seeds miss it once in 40,000 builds. */
  private static final int SEEDS = 80;

  private static final List<Defect> OFTEN = Defect.all().stream().filter(Defect::often).toList();
  private static final Function<Defect, ClassLoader> LOADERS = DefectCommand.load(OFTEN);

  static List<Defect> defects() {
    return OFTEN;
  }

  @ParameterizedTest
  @MethodSource("defects")
  void shouldFindTheDefect(Defect defect) {
    DefectCommand.Finding finding =
        DefectCommand.search(DefectCommand.runner(LOADERS.apply(defect), defect, true), 1, SEEDS);
    assertNotNull(finding, () -> "survives: " + defect);
    assertNull(
        DefectCommand.runner(LOADERS.apply(defect), defect, false).apply(finding.seed()),
        "without the defect");
  }

  /** Loading plants the defects; an edit of code that no longer exists is an error. */
  @Test
  void shouldPlantAllDefects() {
    assertNotNull(DefectCommand.load(Defect.all()));
  }

  @Test
  void shouldRejectDefectsOfMissingCode() {
    Defect gone =
        new Defect(
            1,
            "gone",
            List.of(CodeEdit.parse("LotusCommitter#commit skip LotusCommitter.noSuchMethod")),
            "bank",
            Map.of(),
            true,
            "nothing");
    assertThrows(
        IllegalArgumentException.class, () -> new InstrumentedLoader(false, List.of(gone)));
  }
}
