package org.nelumbo.simulation.instrument;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A defect that can be put into the engine, with the scenario that finds it. The list is a resource
 * file, one line each: name, method, what is done to it, scenario and settings, seeds that it may
 * take, what is broken; with bars between them. Done to a method may be
 *
 * <ul>
 *   <li>{@code skip Type.call}: the call is left out, its result is 0, false or null;
 *   <li>{@code answer Type.call N}: it is left out, and its result is N;
 *   <li>{@code return N}, or {@code return}: the method does nothing and returns that.
 * </ul>
 *
 * @param number by which it is switched on, from 1
 * @param name of the defect
 * @param type class whose method is broken
 * @param method broken
 * @param action what is done
 * @param call the call that is left out, null if it is the method that does nothing
 * @param result what it returns
 * @param scenario that finds it
 * @param settings of the scenario, given otherwise
 * @param seeds that it may take
 * @param breaks what is wrong then
 */
public record Defect(
    int number,
    String name,
    String type,
    String method,
    Action action,
    String call,
    int result,
    String scenario,
    Map<String, String> settings,
    int seeds,
    String breaks) {
  /** What is done to the code. */
  public enum Action {
    SKIP,
    RETURN
  }

  private static final String FILE = "defects.txt";
  private static final int FIELDS = 6;

  /** All there are. */
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
      throw new IllegalArgumentException(FILE + ": " + FIELDS + " fields are wanted: " + line);
    }
    String[] method = fields[1].trim().split("#");
    String[] action = fields[2].trim().split(" +");
    boolean whole = action[0].equals("return");
    int at = whole ? 1 : 2;
    int result = action.length > at ? Integer.parseInt(action[at]) : 0;
    String[] run = fields[3].trim().split(" +");
    Map<String, String> settings = new TreeMap<>();
    for (int i = 1; i < run.length; i++) {
      String[] setting = run[i].split("=", 2);
      settings.put(setting[0], setting[1]);
    }
    return new Defect(
        number,
        fields[0].trim(),
        method[0],
        method[1],
        whole ? Action.RETURN : Action.SKIP,
        whole ? null : action[1],
        result,
        run[0],
        settings,
        Integer.parseInt(fields[4].trim()),
        fields[5].trim());
  }

  /** The one of that name. */
  public static Defect named(String name) {
    return all().stream()
        .filter(each -> each.name.equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no such defect '"
                        + name
                        + "'; there are "
                        + String.join(", ", all().stream().map(Defect::name).toList())));
  }
}
