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
 * Each defect that is often found, once it is put back into the engine, is found by one of the
 * first seeds of its scenario; the engine as it is passes that seed. {@code nelumbo sim defects}
 * searches for the others, too.
 */
class DefectTest {
  /** A defect that one seed in eight finds is missed by all of them once in 40,000 changes. */
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

  /** Loading them plants them: an edit of code that is not there any more is an error. */
  @Test
  void shouldPlantAllDefects() {
    assertNotNull(DefectCommand.load(Defect.all()));
  }

  @Test
  void shouldRefuseDefectsOfCodeThatIsNotThere() {
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
