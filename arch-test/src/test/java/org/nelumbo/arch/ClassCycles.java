package org.nelumbo.arch;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds cycles of classes: the strongly connected components of the dependency graph, by Tarjan's
 * algorithm. A nested class counts as part of its top-level class.
 */
final class ClassCycles {
  private final Map<String, NavigableSet<String>> uses = new TreeMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowLinks = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<NavigableSet<String>> cycles = new ArrayList<>();

  private ClassCycles() {}

  /** Returns all cycles of more than {@code sizeMax} classes, the largest first. */
  static List<NavigableSet<String>> largerThan(int sizeMax, JavaClasses classes) {
    ClassCycles search = new ClassCycles();
    for (JavaClass each : classes) {
      search.add(each, classes);
    }
    for (String each : search.uses.keySet()) {
      if (!search.numbers.containsKey(each)) {
        search.visit(each);
      }
    }
    return search.cycles.stream()
        .filter(cycle -> cycle.size() > sizeMax)
        .sorted(
            Comparator.comparingInt((NavigableSet<String> cycle) -> -cycle.size())
                .thenComparing(NavigableSet::first))
        .toList();
  }

  private void add(JavaClass from, JavaClasses classes) {
    NavigableSet<String> targets = uses.computeIfAbsent(topLevel(from), name -> new TreeSet<>());
    for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
      JavaClass target = dependency.getTargetClass().getBaseComponentType();
      if (classes.contain(target.getName())) {
        targets.add(topLevel(target));
      }
    }
  }

  private static String topLevel(JavaClass type) {
    String name = type.getName();
    int end = name.indexOf('$');
    return end < 0 ? name : name.substring(0, end);
  }

  private void visit(String node) {
    int number = numbers.size();
    numbers.put(node, number);
    lowLinks.put(node, number);
    open.push(node);
    for (String next : uses.getOrDefault(node, new TreeSet<>())) {
      if (!numbers.containsKey(next)) {
        visit(next);
        lowLinks.merge(node, lowLinks.get(next), Math::min);
      } else if (open.contains(next)) {
        lowLinks.merge(node, numbers.get(next), Math::min);
      }
    }
    if (lowLinks.get(node) == number) {
      close(node);
    }
  }

  private void close(String root) {
    NavigableSet<String> cycle = new TreeSet<>();
    String last;
    do {
      last = open.pop();
      cycle.add(last);
    } while (!last.equals(root));
    cycles.add(cycle);
  }
}
