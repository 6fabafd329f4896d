package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that packages, classes and source files with full names in pages exist. */
class NamesInPagesTest {
  private static final Pattern NAME =
      Pattern.compile("org([./])nelumbo((?:\\1\\w+)+(?:\\.(?:java|properties|sql))?)");

  /** Tests and modules that commands of Maven name. */
  private static final Pattern TEST = Pattern.compile("-Dtest=(\\w+)");

  private static final Pattern MODULES = Pattern.compile("-pl ([\\w/,-]+)");

  /** Packages of the relocated dependencies in the one-jar driver. */
  private static final String SHADED = "org/nelumbo/shaded";

  @Test
  void shouldNameWhatThereIs() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path page : Pages.all()) {
      Matcher name = NAME.matcher(Files.readString(page));
      while (name.find()) {
        if (!exists(name.group())) {
          missing.add(page + " -> " + name.group());
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void shouldNameTestsAndModulesThatExist() throws IOException {
    Set<String> tests = new HashSet<>();
    for (Path folder : sourceFolders()) {
      if (folder.endsWith("test/java") && Files.exists(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
        }
      }
    }
    List<String> missing = new ArrayList<>();
    for (Path page : Pages.all()) {
      String text = Files.readString(page);
      for (MatchResult test : TEST.matcher(text).results().toList()) {
        if (!tests.contains(test.group(1))) {
          missing.add(page + " -> " + test.group());
        }
      }
      for (MatchResult modules : MODULES.matcher(text).results().toList()) {
        for (String module : modules.group(1).split(",", -1)) {
          if (!Files.exists(Pages.ROOT.resolve(module).resolve("pom.xml"))) {
            missing.add(page + " -> " + modules.group());
          }
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void shouldTellWhatThereIsFromWhatThereIsNot() throws IOException {
    assertTrue(exists("org.nelumbo.launcher"));
    assertTrue(exists(NamesInPagesTest.class.getName()));
    assertFalse(exists("org.nelumbo.launcher.NoSuchClass"));
    assertFalse(exists("org.nelumbo.nosuchpackage"));
  }

  private static boolean exists(String name) throws IOException {
    String path = name.contains("/") ? name : name.replace('.', '/');
    if (path.startsWith(SHADED)) {
      return true;
    }
    for (Path folder : sourceFolders()) {
      if (Files.exists(folder.resolve(path)) || Files.exists(folder.resolve(path + ".java"))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the source folders of all modules, nested ones included. */
  private static List<Path> sourceFolders() throws IOException {
    List<Path> result = new ArrayList<>();
    try (Stream<Path> modules = Files.walk(Pages.ROOT, 2)) {
      for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        for (String kind : List.of("main/java", "main/resources", "test/java", "test/resources")) {
          result.add(module.resolve("src").resolve(kind));
        }
      }
    }
    return result;
  }
}
