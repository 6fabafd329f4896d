package org.nelumbo.simulation.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a configuration file in the format of {@link Properties}: {@code key = value}
 * lines, comments after {@code #}. Every error contains the file and the key. Keys that no code has
 * read are an error, too: {@link #refuseUnknown}.
 */
public final class Settings {
  private static final Pattern QUANTITY =
      Pattern.compile("([0-9][0-9_]*(?:\\.[0-9]+)?(?:[eE]-?[0-9]+)?)\\s*([a-zA-Z]*)");

  private static final Map<String, Double> NANOS =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);

  private static final Map<String, Double> BYTES =
      Map.of("", 1.0, "KiB", 1024.0, "MiB", 1024.0 * 1024, "GiB", 1024.0 * 1024 * 1024);

  private static final Map<String, Double> PER_SECOND =
      Map.of("", 1.0, "K", 1e3, "M", 1e6, "G", 1e9);

  private final String source;
  private final Map<String, String> values = new TreeMap<>();
  private final Collection<String> asked = new TreeSet<>();

  private Settings(String source, Properties properties) {
    this.source = source;
    properties.stringPropertyNames().forEach(k -> values.put(k, properties.getProperty(k).trim()));
  }

  /** Reads a file. */
  public static Settings read(Path file) throws IOException {
    try (Reader in = Files.newBufferedReader(file)) {
      return read(file.toString(), in);
    }
  }

  /** Reads a resource next to a class; returns null if there is no such resource. */
  public static Settings resource(Class<?> beside, String name) throws IOException {
    try (InputStream in = beside.getResourceAsStream(name)) {
      return in == null ? null : read(name, new InputStreamReader(in, StandardCharsets.UTF_8));
    }
  }

  /** Reads the text of a stream. */
  public static Settings read(String source, Reader in) throws IOException {
    Properties properties = new Properties();
    properties.load(in);
    return new Settings(source, properties);
  }

  /** Returns settings with these values. */
  public static Settings of(String source, Map<String, String> values) {
    Settings settings = new Settings(source, new Properties());
    values.forEach(settings::set);
    return settings;
  }

  /** Sets a value, such as one given on a command line. */
  public void set(String key, String value) {
    values.put(key, value);
  }

  public boolean has(String key) {
    asked.add(key);
    return values.containsKey(key);
  }

  public String text(String key, String otherwise) {
    asked.add(key);
    return values.getOrDefault(key, otherwise);
  }

  public boolean flag(String key, boolean otherwise) {
    String text = text(key, Boolean.toString(otherwise));
    if (!text.equals("true") && !text.equals("false")) {
      throw wrong(key, text, "true or false");
    }
    return text.equals("true");
  }

  public int integer(String key, int otherwise) {
    return (int) quantity(key, Integer.toString(otherwise), PER_SECOND, "a number");
  }

  /** Reads a number between 0 and 1. */
  public double probability(String key, double otherwise) {
    double value = quantity(key, Double.toString(otherwise), Map.of("", 1.0), "a probability");
    if (value > 1) {
      throw wrong(key, text(key, ""), "a number from 0 to 1");
    }
    return value;
  }

  /** Reads a number of any size, with K, M and G for thousands, millions and billions. */
  public double number(String key, double otherwise) {
    return quantity(key, Double.toString(otherwise), PER_SECOND, "a number such as 2.5M");
  }

  /** Reads a duration such as {@code 2us}, in nanoseconds. */
  public long nanos(String key, String otherwise) {
    return Math.round(quantity(key, otherwise, NANOS, "a duration such as 250ns, 2us, 1ms, 3s"));
  }

  /** Reads a size such as {@code 4MiB}, in bytes. */
  public long bytes(String key, String otherwise) {
    return Math.round(quantity(key, otherwise, BYTES, "a size such as 64KiB or 4MiB"));
  }

  /** Reads a constant of an enum, written in lower case with dashes. */
  public <E extends Enum<E>> E choice(String key, Class<E> type, E otherwise) {
    String text = text(key, dashed(otherwise));
    for (E each : type.getEnumConstants()) {
      if (dashed(each).equals(text)) {
        return each;
      }
    }
    StringBuilder known = new StringBuilder("one of");
    for (E each : type.getEnumConstants()) {
      known.append(' ').append(dashed(each));
    }
    throw wrong(key, text, known.toString());
  }

  /**
   * Reads a set of constants of an enum, in lower case with dashes, separated by commas; or {@code
   * all}.
   */
  public <E extends Enum<E>> Set<E> choices(String key, Class<E> type) {
    String text = text(key, "all");
    EnumSet<E> chosen = EnumSet.noneOf(type);
    for (E each : type.getEnumConstants()) {
      if (text.equals("all") || Arrays.asList(text.split("[, ]+")).contains(dashed(each))) {
        chosen.add(each);
      }
    }
    int wanted = text.equals("all") ? chosen.size() : text.split("[, ]+").length;
    if (chosen.size() != wanted) {
      throw wrong(
          key,
          text,
          "all, or some of " + EnumSet.allOf(type).stream().map(Settings::dashed).toList());
    }
    return chosen;
  }

  private static String dashed(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private double quantity(String key, String otherwise, Map<String, Double> units, String wanted) {
    String text = text(key, otherwise);
    Matcher matcher = QUANTITY.matcher(text);
    Double unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null) {
      throw wrong(key, text, wanted);
    }
    return Double.parseDouble(matcher.group(1).replace("_", "")) * unit;
  }

  /** Creates the error for a wrong value, with the name of the key. */
  public IllegalArgumentException wrong(String key, String text, String wanted) {
    return new IllegalArgumentException(source + ": " + key + " = " + text + " is not " + wanted);
  }

  /**
   * Rejects unknown keys. Called after all known keys have been read.
   *
   * @throws IllegalArgumentException with the names of the unknown keys
   */
  public void refuseUnknown() {
    TreeSet<String> unknown = new TreeSet<>(values.keySet());
    unknown.removeAll(asked);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          source
              + ": unknown key "
              + String.join(", ", unknown)
              + "; known are "
              + String.join(", ", asked));
    }
  }
}
