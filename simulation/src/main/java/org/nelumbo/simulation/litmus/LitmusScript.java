package org.nelumbo.simulation.litmus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.nelumbo.session.Isolation;

/**
 * A litmus test: rows, transactions, and what may come of them. See {@link LitmusParser} for its
 * text form.
 *
 * @param name of the script and of its file
 * @param about what it is for
 * @param invariants which invariants of {@code docs/architecture.md} it attacks
 * @param start rows that are there in the beginning
 * @param keys all rows, in the order of their keys
 * @param transactions by name, in order
 * @param outcomes what must come of it, by isolation level: each of them, and nothing else, when
 *     nobody stops
 */
public record LitmusScript(
    String name,
    String about,
    List<Integer> invariants,
    List<String> start,
    List<String> keys,
    List<Script> transactions,
    Map<Isolation, Set<String>> outcomes) {
  /**
   * What one coordinator does.
   *
   * @param name as in {@code T1}
   * @param readOnly whether it begins a read-only transaction
   * @param shown whether outcomes say what it saw
   * @param steps in order
   */
  record Script(String name, boolean readOnly, boolean shown, List<ScriptStep> steps) {
    Script {
      steps = List.copyOf(steps);
    }

    /** This transaction with one step less. */
    Script without(int step) {
      List<ScriptStep> left = new ArrayList<>(steps);
      left.remove(step);
      return new Script(name, readOnly, shown, left);
    }
  }

  /** This script with other transactions; what may come of it is open. */
  LitmusScript withTransactions(List<Script> others) {
    return new LitmusScript(name, about, invariants, start, keys, List.copyOf(others), Map.of());
  }

  /** The transactions, a line each, as scripts have them. */
  public String body() {
    StringBuilder text = new StringBuilder();
    for (Script each : transactions) {
      text.append(each.name).append(each.readOnly ? " reads: " : ": ");
      text.append(each.steps.stream().map(ScriptStep::toString).collect(Collectors.joining("; ")));
      text.append('\n');
    }
    return text.toString();
  }

  /** The scripts that come with the simulator. */
  public static List<String> names() {
    try (InputStream in = LitmusScript.class.getResourceAsStream("index.txt");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.isBlank()).collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException("the list of litmus tests cannot be read", e);
    }
  }

  /**
   * The script of that name.
   *
   * @throws IllegalArgumentException that lists them if there is none
   */
  public static LitmusScript load(String name) {
    try (InputStream in = LitmusScript.class.getResourceAsStream(name + ".litmus")) {
      if (in == null) {
        throw new IllegalArgumentException(
            "no litmus test '" + name + "'; there are " + String.join(", ", names()));
      }
      return LitmusParser.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the litmus test cannot be read name=" + name, e);
    }
  }
}
