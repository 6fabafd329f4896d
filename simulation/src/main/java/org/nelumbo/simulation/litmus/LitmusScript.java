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
 * A litmus test: rows, transactions, and the possible outcomes. See {@link LitmusParser} for its
 * text form.
 *
 * @param name name of the script and of its file
 * @param about purpose of the test
 * @param invariants numbers of the invariants of {@code docs/architecture.md} that it attacks
 * @param start rows that exist at the beginning
 * @param keys all rows, in the order of their keys
 * @param transactions transactions in order
 * @param outcomes required outcomes by isolation level: without a stop each of them must occur, and
 *     no other
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
   * The transaction of one coordinator.
   *
   * @param name name, as in {@code T1}
   * @param readOnly whether it begins a read-only transaction
   * @param shown whether outcomes contain its reads
   * @param steps steps in order
   */
  record Script(String name, boolean readOnly, boolean shown, List<ScriptStep> steps) {
    Script {
      steps = List.copyOf(steps);
    }

    /** Returns this transaction without one of its steps. */
    Script without(int step) {
      List<ScriptStep> left = new ArrayList<>(steps);
      left.remove(step);
      return new Script(name, readOnly, shown, left);
    }
  }

  /** Returns this script with other transactions, and without expected outcomes. */
  LitmusScript withTransactions(List<Script> others) {
    return new LitmusScript(name, about, invariants, start, keys, List.copyOf(others), Map.of());
  }

  /** Returns the transactions, a line each, in the format of scripts. */
  public String body() {
    StringBuilder text = new StringBuilder();
    for (Script each : transactions) {
      text.append(each.name).append(each.readOnly ? " reads: " : ": ");
      text.append(each.steps.stream().map(ScriptStep::toString).collect(Collectors.joining("; ")));
      text.append('\n');
    }
    return text.toString();
  }

  /** Returns the names of the scripts that are part of the simulator. */
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
   * Returns the script with this name.
   *
   * @throws IllegalArgumentException with the list of scripts if there is no such script
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
