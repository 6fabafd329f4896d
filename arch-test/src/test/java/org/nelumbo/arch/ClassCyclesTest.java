package org.nelumbo.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Limits cycles of classes. Three classes may depend on each other, as a structure, its iterator
 * and its builder do; a larger cycle can only be understood as a whole. {@code class-cycles.txt}
 * lists the exceptions, a block of classes for each cycle. The list only shrinks: it must not
 * contain a class that is in no such cycle.
 */
class ClassCyclesTest {
  private static final int CLASSES_MAX = 3;
  private static final Path ALLOWED = Path.of("src/test/resources/class-cycles.txt");

  @Test
  void shouldHaveOnlyListedClassCycles() throws IOException {
    List<NavigableSet<String>> found =
        ClassCycles.largerThan(CLASSES_MAX, Production.HAND_WRITTEN_CLASSES);
    assertEquals(
        text(allowed()),
        text(found),
        "cycles of classes: break new ones, and take what is gone out of " + ALLOWED);
  }

  @Test
  void shouldNoticeCycles() {
    JavaClasses classes =
        new ClassFileImporter()
            .importClasses(
                CycleOffenders.class,
                CycleOffenders.Inner.class,
                CycleOffenderB.class,
                CycleOffenderC.class,
                Offenders.class);
    List<String> cycle =
        List.of(
            CycleOffenderB.class.getName(),
            CycleOffenderC.class.getName(),
            CycleOffenders.class.getName());
    assertEquals(List.of(new TreeSet<>(cycle)), ClassCycles.largerThan(2, classes));
    assertEquals(List.of(), ClassCycles.largerThan(3, classes));
  }

  private static List<NavigableSet<String>> allowed() throws IOException {
    List<NavigableSet<String>> blocks = new ArrayList<>();
    NavigableSet<String> block = new TreeSet<>();
    for (String line : Files.readAllLines(ALLOWED)) {
      if (line.isBlank()) {
        block = new TreeSet<>();
      } else if (!line.startsWith("#")) {
        if (block.isEmpty()) {
          blocks.add(block);
        }
        block.add(line);
      }
    }
    return blocks;
  }

  private static String text(List<NavigableSet<String>> cycles) {
    return cycles.stream()
        .map(cycle -> String.join("\n", cycle))
        .sorted()
        .collect(Collectors.joining("\n\n"));
  }
}
