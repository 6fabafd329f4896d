package org.nelumbo.simulation.litmus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.nelumbo.session.Isolation;

/**
 * A parser of litmus scripts:
 *
 * <pre>
 * about:      Two transactions write the same two rows.
 * invariants: 1, 2, 4
 * keys:       x y z                      all rows, in key order
 * start:      x y                        initial rows, written by T0
 * T1:         read x; write y
 * T2:         insert z; rollback
 * T3 reads:   read x; read y             a read-only transaction
 * T5 looks:   read x; read y             a read-only transaction whose reads are not in outcomes
 * T4 shows:   read x; write y            a transaction whose reads belong to the outcome
 * SR:         x=T1 y=T2 | x=T2 y=T2      outcomes; each must occur, no other may
 * SI:         SR | x=T1 y=T1             those of SR, and more
 * </pre>
 *
 * <p>An outcome contains the end state: each row with the transaction that wrote its value ({@code
 * -}: the row is missing). Before it are the reads of each transaction with {@code reads} or {@code
 * shows}, as in {@code T3(x=T0 y=T1)}, and the transactions that gave up, as in {@code T2!}.
 */
final class LitmusParser {
  private final String name;
  private String about = "";
  private final List<Integer> invariants = new ArrayList<>();
  private List<String> keys = List.of();
  private List<String> start = List.of();
  private final List<LitmusScript.Script> transactions = new ArrayList<>();
  private final Map<Isolation, Set<String>> outcomes = new EnumMap<>(Isolation.class);

  private LitmusParser(String name) {
    this.name = name;
  }

  static LitmusScript parse(String name, String text) {
    LitmusParser parser = new LitmusParser(name);
    text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(parser::line);
    return new LitmusScript(
        name,
        parser.about,
        List.copyOf(parser.invariants),
        parser.start,
        parser.keys,
        List.copyOf(parser.transactions),
        parser.outcomes);
  }

  private void line(String line) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      throw misunderstood(line);
    }
    String what = line.substring(0, colon).strip();
    String text = line.substring(colon + 1).strip();
    switch (what) {
      case "about" -> about = about.isEmpty() ? text : about + " " + text;
      case "invariants" ->
          Arrays.stream(text.split(", *")).map(Integer::valueOf).forEach(invariants::add);
      case "keys" -> keys = words(text);
      case "start" -> start = words(text);
      case "SR" -> outcomes(Isolation.SERIALIZABLE, text);
      case "SI" -> outcomes(Isolation.SNAPSHOT, text);
      default -> transaction(what, text);
    }
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" +"));
  }

  private void outcomes(Isolation isolation, String text) {
    Set<String> all = outcomes.computeIfAbsent(isolation, level -> new TreeSet<>());
    for (String each : text.split("\\|", -1)) {
      if (each.strip().equals("SR")) {
        all.addAll(outcomes.get(Isolation.SERIALIZABLE));
      } else {
        all.add(each.strip());
      }
    }
  }

  private void transaction(String what, String text) {
    List<String> head = words(what);
    if (!head.getFirst().matches("T\\d")
        || (head.size() > 1 && !head.get(1).matches("reads|shows|looks"))) {
      throw misunderstood(what);
    }
    List<ScriptStep> steps = new ArrayList<>();
    for (String each : text.split(";", -1)) {
      steps.add(step(each.strip()));
    }
    transactions.add(
        new LitmusScript.Script(
            head.getFirst(),
            what.endsWith(" reads") || what.endsWith(" looks"),
            what.endsWith(" reads") || what.endsWith(" shows"),
            steps));
  }

  private ScriptStep step(String text) {
    List<String> words = words(text);
    ScriptStep.Kind kind = ScriptStep.Kind.valueOf(words.getFirst().toUpperCase(Locale.ROOT));
    if (kind == ScriptStep.Kind.ROLLBACK) {
      return new ScriptStep(kind, "", "");
    }
    String key = words.get(1);
    String last = kind == ScriptStep.Kind.SCAN ? words.get(2) : key;
    if (!keys.contains(key) || !keys.contains(last)) {
      throw misunderstood(text);
    }
    return new ScriptStep(kind, key, last);
  }

  private IllegalArgumentException misunderstood(String text) {
    return new IllegalArgumentException("litmus test " + name + " not understood: " + text);
  }
}
