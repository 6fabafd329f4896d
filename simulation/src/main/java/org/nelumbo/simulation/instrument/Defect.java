package org.nelumbo.simulation.instrument;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A defect that can be put into the engine, with the scenario that finds it. The list is a resource
 * file with one line for each defect. Its fields are separated by bars: name; edits of the code,
 * with {@code &} between them; scenario and settings; {@code often} or {@code rarely}; description.
 * Edits are
 *
 * <ul>
 *   <li>{@code Type#method skip Type.call}: the call is left out, its result is 0, false or null;
 *   <li>{@code Type#method answer Type.call N}: the call is left out, and its result is N;
 *   <li>{@code Type#method swap Type.call name}: that method of {@link FormerCode} is called
 *       instead;
 *   <li>{@code Type#method return N}, {@code return}, {@code return this}: the method does nothing;
 *   <li>{@code Type#method uncaught}: handlers rethrow the exceptions they catch;
 *   <li>{@code Type#method former name}: that method of {@link FormerCode} runs instead.
 * </ul>
 *
 * @param number number that enables it, from 1
 * @param name name of the defect
 * @param edits edits that create it
 * @param scenario scenario that finds it
 * @param settings settings that override those of the scenario
 * @param often true if a few dozen cheap seeds find it, so that each build searches for it
 * @param breaks description of the broken behaviour
 */
public record Defect(
    int number,
    String name,
    List<CodeEdit> edits,
    String scenario,
    Map<String, String> settings,
    boolean often,
    String breaks) {
  private static final String FILE = "defects.txt";
  private static final int FIELDS = 5;

  /** Returns all defects. */
  public static List<Defect> all() {
    List<Defect> all = new ArrayList<>();
    try (InputStream in = Defect.class.getResourceAsStream(FILE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          all.add(parse(all.size() + 1, line));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the list of defects cannot be read", e);
    }
    return all;
  }

  private static Defect parse(int number, String line) {
    String[] fields = line.split("\\|", FIELDS);
    if (fields.length < FIELDS) {
      throw new IllegalArgumentException(FILE + ": " + FIELDS + " fields are required: " + line);
    }
    String[] run = fields[2].trim().split(" +", -1);
    Map<String, String> settings = new TreeMap<>();
    for (int i = 1; i < run.length; i++) {
      String[] setting = run[i].split("=", 2);
      settings.put(setting[0], setting[1]);
    }
    String found = fields[3].trim();
    if (!found.equals("often") && !found.equals("rarely")) {
      throw new IllegalArgumentException(FILE + ": found often or rarely? " + line);
    }
    return new Defect(
        number,
        fields[0].trim(),
        Arrays.stream(fields[1].split("&")).map(CodeEdit::parse).toList(),
        run[0],
        settings,
        found.equals("often"),
        fields[4].trim());
  }

  /** Returns the defect with this name. */
  public static Defect named(String name) {
    return all().stream()
        .filter(each -> each.name.equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown defect '"
                        + name
                        + "'; there are "
                        + String.join(", ", all().stream().map(Defect::name).toList())));
  }
}
