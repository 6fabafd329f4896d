package org.nelumbo.benchmark.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * SQL texts of a resource file. Statements end with a semicolon at the end of a line. A line {@code
 * -- name: x} names the next statement; other comment lines are ignored.
 */
public final class SqlResource {
  private static final String NAME = "-- name:";

  private final List<String> statements = new ArrayList<>();
  private final Map<String, String> named = new LinkedHashMap<>();
  private final String origin;

  private SqlResource(String origin, String text) {
    this.origin = origin;
    StringBuilder statement = new StringBuilder();
    String name = null;
    for (String line : text.lines().toList()) {
      if (line.startsWith(NAME)) {
        name = line.substring(NAME.length()).strip();
      } else if (!line.stripLeading().startsWith("--") && !line.isBlank()) {
        statement.append(line.stripTrailing()).append('\n');
        if (line.stripTrailing().endsWith(";")) {
          add(name, statement.substring(0, statement.length() - 2));
          statement.setLength(0);
          name = null;
        }
      }
    }
    if (!statement.isEmpty()) {
      throw new IllegalArgumentException("statement without semicolon at the end of " + origin);
    }
  }

  /** Reads a resource from the package of the given class. */
  public static SqlResource load(Class<?> beside, String fileName) {
    try (InputStream in = beside.getResourceAsStream(fileName)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + fileName + " beside " + beside);
      }
      return new SqlResource(fileName, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all statements in the order of the file, translated for the dialect. */
  public List<String> statements(Dialect dialect) {
    return statements.stream().map(dialect::translate).toList();
  }

  /** Returns the names in the order of the file. */
  public List<String> names() {
    return List.copyOf(named.keySet());
  }

  /** Returns the statement with this name, untranslated. */
  public String statement(String name) {
    String sql = named.get(name);
    if (sql == null) {
      throw new IllegalArgumentException("no statement " + name + " in " + origin);
    }
    return sql;
  }

  private void add(String name, String sql) {
    statements.add(sql);
    if (name != null && named.put(name, sql) != null) {
      throw new IllegalArgumentException("two statements named " + name + " in " + origin);
    }
  }

  @Override
  public String toString() {
    return origin + Collections.unmodifiableSet(named.keySet());
  }
}
