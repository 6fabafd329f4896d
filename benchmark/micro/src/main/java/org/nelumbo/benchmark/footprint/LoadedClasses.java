package org.nelumbo.benchmark.footprint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The classes of a log that a JVM writes with {@code -Xlog:class+load}, in groups. */
final class LoadedClasses {
  private static final Pattern LOADED = Pattern.compile("\\] (\\S+) source: (.*)");

  private final Map<String, Integer> counts = new TreeMap<>();

  /** A group of classes and their number. */
  record Group(String name, int count) {}

  private LoadedClasses() {}

  static LoadedClasses of(Path log) throws IOException {
    LoadedClasses classes = new LoadedClasses();
    for (String line : Files.readAllLines(log)) {
      Matcher found = LOADED.matcher(line);
      if (found.find()) {
        classes.counts.merge(group(found.group(1), found.group(2)), 1, Integer::sum);
      }
    }
    return classes;
  }

  /**
   * Returns the group of a class: "archive" if it comes from an archive of the JVM, "generated" if
   * it was generated at run time, else the first parts of its name.
   */
  private static String group(String name, String source) {
    if (source.startsWith("shared objects file")) {
      return "archive";
    } else if (!source.startsWith("jrt:") && !source.startsWith("file:") || name.contains("$$")) {
      return "generated";
    } else if (source.startsWith("jrt:")) {
      return "jdk";
    }
    String[] parts = name.split("\\.");
    int depth = name.startsWith("org.nelumbo.") || name.startsWith("org.apache.") ? 4 : 3;
    return String.join(".", List.of(parts).subList(0, Math.min(depth, parts.length - 1)));
  }

  /** Returns the largest groups, the largest first. */
  List<Group> largest(int limit) {
    List<Group> groups = new ArrayList<>();
    counts.forEach((name, count) -> groups.add(new Group(name, count)));
    groups.sort(Comparator.comparingInt(Group::count).reversed());
    return groups.subList(0, Math.min(limit, groups.size()));
  }
}
