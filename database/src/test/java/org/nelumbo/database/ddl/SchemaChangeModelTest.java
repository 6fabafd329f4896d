package org.nelumbo.database.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.database.Sql;
import org.nelumbo.database.TestPool;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * Compares random schema changes, reads and updates in several sessions with a map. Tables are
 * truncated, dropped and created again, and indexes are created and dropped. ALTER TABLE rebuilds
 * tables, or fails because a row late in the copy does not fit. A failure prints the seed; {@code
 * -Dnelumbo.seed} sets another seed, {@code -Dnelumbo.ddl.steps} another length.
 */
@Timeout(240)
class SchemaChangeModelTest {
  private static final int STEPS = Integer.getInteger("nelumbo.ddl.steps", 250);
  private static final int KEYS = 1_300;
  private static final int SESSIONS = 3;
  private static final int SMALL_MAX = 99_999;

  private final long seed = Long.getLong("nelumbo.seed", 20_261_122);
  private final Random random = new Random(seed);
  private final List<Sql> sessions = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();

  /** The expected content of a table. */
  private static final class Table {
    final String name;
    final boolean ordered;
    final TreeMap<Integer, Integer> rows = new TreeMap<>();
    boolean isNotNull;
    boolean isSmall;
    boolean isIndexed;
    boolean isWide;

    Table(String name, boolean ordered) {
      this.name = name;
      this.ordered = ordered;
    }

    void forgetForm() {
      rows.clear();
      isNotNull = false;
      isSmall = false;
      isIndexed = false;
      isWide = false;
    }
  }

  @ParameterizedTest
  @EnumSource(TestPool.Kind.class)
  void shouldMatchModelUnderRandomSchemaChanges(TestPool.Kind kind) {
    try (TestPool pool = new TestPool(kind, 128L << 20)) {
      for (int i = 0; i < SESSIONS; i++) {
        sessions.add(new Sql(pool.database()));
      }
      for (String name : List.of("A", "B")) {
        Table table = new Table(name, name.equals("A"));
        tables.add(table);
        create(table);
        fill(table);
      }
      for (int step = 0; step < STEPS; step++) {
        step(tables.get(random.nextInt(tables.size())));
      }
      tables.forEach(this::compareAll);
    } catch (AssertionError | RuntimeException e) {
      int from = Math.max(0, trace.size() - 30);
      throw new AssertionError(
          "seed " + seed + " after\n" + String.join("\n", trace.subList(from, trace.size())), e);
    }
  }

  private Sql any() {
    return sessions.get(random.nextInt(SESSIONS));
  }

  private int key() {
    return random.nextInt(KEYS);
  }

  private void step(Table table) {
    switch (random.nextInt(40)) {
      case 0 -> truncate(table);
      case 1 -> recreate(table);
      case 2, 3 -> setNotNull(table);
      case 4, 5 -> setSmall(table);
      case 6 -> dropNotNull(table);
      case 7 -> changeWidth(table);
      case 8 -> changeIndex(table);
      case 9 -> fill(table);
      case 10, 11 -> spoilLastRow(table);
      case 12, 13, 14, 15, 16, 17 -> insert(table, key());
      case 18, 19, 20, 21 -> update(table, key());
      case 22, 23 -> delete(table, key());
      case 24, 25 -> range(table);
      case 26 -> join();
      case 27 -> byValue(table);
      case 28 -> several(table);
      default -> point(table, key());
    }
  }

  private long change(String sql, Object... parameters) {
    trace.add(sql + " " + List.of(parameters));
    return any().update(sql, parameters);
  }

  private List<String> ask(String sql, Object... parameters) {
    trace.add(sql + " " + List.of(parameters));
    return any().query(sql, parameters);
  }

  /** Returns the error of a statement, or null if it succeeded. */
  private ErrorCode outcome(String sql, Object... parameters) {
    try {
      change(sql, parameters);
      return null;
    } catch (NelumboException e) {
      trace.add("  " + e.code());
      return e.code();
    }
  }

  private void create(Table table) {
    change(
        "CREATE TABLE "
            + table.name
            + " (id INTEGER PRIMARY KEY, v INTEGER)"
            + (table.ordered ? " WITH (hash = false)" : " WITH (ordered = false)"));
  }

  private void recreate(Table table) {
    change("DROP TABLE " + table.name);
    table.forgetForm();
    create(table);
    probe(table);
  }

  private void truncate(Table table) {
    change("TRUNCATE TABLE " + table.name);
    table.rows.clear();
    probe(table);
  }

  /** Inserts more rows than a copy commits at once. */
  private void fill(Table table) {
    List<Integer> missing = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      if (!table.rows.containsKey(key)) {
        missing.add(key);
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    String values =
        missing.stream()
            .map(key -> "(" + key + ", " + key * 3 + ")")
            .collect(Collectors.joining(", "));
    trace.add("fill " + table.name);
    any().update("INSERT INTO " + table.name + " (id, v) VALUES " + values);
    missing.forEach(key -> table.rows.put(key, key * 3));
  }

  /** Sets a value late in the copy that makes a rebuild fail. */
  private void spoilLastRow(Table table) {
    if (table.rows.isEmpty()) {
      return;
    }
    int key = table.rows.lastKey();
    Integer value = random.nextBoolean() ? null : Integer.valueOf(SMALL_MAX + 1);
    boolean fits = value == null ? !table.isNotNull : !table.isSmall;
    ErrorCode expected =
        value == null ? ErrorCode.NOT_NULL_VIOLATION : ErrorCode.NUMBER_OUT_OF_RANGE;
    String text = "UPDATE " + table.name + " SET v = " + value + " WHERE id = ?";
    assertEquals(fits ? null : expected, outcome(text, key));
    if (fits) {
      table.rows.put(key, value);
    }
  }

  private void setNotNull(Table table) {
    boolean fits = !table.rows.containsValue(null);
    ErrorCode code = outcome("ALTER TABLE " + table.name + " ALTER COLUMN v SET NOT NULL");
    assertEquals(fits ? null : ErrorCode.NOT_NULL_VIOLATION, code);
    table.isNotNull |= fits;
    probe(table);
  }

  private void dropNotNull(Table table) {
    change("ALTER TABLE " + table.name + " ALTER COLUMN v DROP NOT NULL");
    table.isNotNull = false;
    probe(table);
  }

  private void setSmall(Table table) {
    boolean narrow = random.nextInt(3) > 0;
    boolean fits =
        !narrow || table.rows.values().stream().allMatch(v -> v == null || v <= SMALL_MAX);
    String type = narrow ? "DECIMAL(5, 0)" : "INTEGER";
    ErrorCode code = outcome("ALTER TABLE " + table.name + " ALTER COLUMN v SET DATA TYPE " + type);
    assertEquals(fits ? null : ErrorCode.NUMBER_OUT_OF_RANGE, code);
    if (fits) {
      table.isSmall = narrow;
    }
    probe(table);
  }

  private void changeWidth(Table table) {
    change(
        "ALTER TABLE "
            + table.name
            + (table.isWide ? " DROP COLUMN w" : " ADD COLUMN w VARCHAR(20) DEFAULT 'wide'"));
    table.isWide = !table.isWide;
    probe(table);
  }

  private void changeIndex(Table table) {
    String index = table.name + "_v";
    change(
        table.isIndexed
            ? "DROP INDEX " + index
            : "CREATE INDEX " + index + " ON " + table.name + " (v)");
    table.isIndexed = !table.isIndexed;
    probe(table);
  }

  private void insert(Table table, int key) {
    boolean isNull = !table.isNotNull && random.nextInt(20) == 0;
    Integer value = isNull ? null : Integer.valueOf(random.nextInt(SMALL_MAX));
    String text = "INSERT INTO " + table.name + " (id, v) VALUES (?, " + value + ")";
    boolean present = table.rows.containsKey(key);
    assertEquals(present ? ErrorCode.UNIQUE_VIOLATION : null, outcome(text, key));
    if (!present) {
      table.rows.put(key, value);
    }
  }

  private void update(Table table, int key) {
    int value = random.nextInt(SMALL_MAX);
    long count = change("UPDATE " + table.name + " SET v = ? WHERE id = ?", value, key);
    assertEquals(table.rows.containsKey(key) ? 1 : 0, count);
    table.rows.replace(key, value);
    point(table, key);
  }

  private void delete(Table table, int key) {
    long count = change("DELETE FROM " + table.name + " WHERE id = ?", key);
    assertEquals(table.rows.containsKey(key) ? 1 : 0, count);
    table.rows.remove(key);
    point(table, key);
  }

  private void point(Table table, int key) {
    List<String> expected =
        table.rows.containsKey(key) ? List.of(String.valueOf(table.rows.get(key))) : List.of();
    assertEquals(expected, ask("SELECT v FROM " + table.name + " WHERE id = ?", key));
  }

  /** Reads and updates rows by key, for which a compute node uses its caches. */
  private void probe(Table table) {
    for (int i = 0; i < 12; i++) {
      point(table, key());
    }
    if (!table.rows.isEmpty()) {
      point(table, table.rows.lastKey());
      update(table, table.rows.firstKey());
    }
  }

  private static List<String> text(Map<Integer, Integer> rows) {
    return rows.entrySet().stream().map(row -> row.getKey() + " " + row.getValue()).toList();
  }

  private void range(Table table) {
    int from = key();
    int to = from + random.nextInt(60);
    assertEquals(
        text(table.rows.subMap(from, to)),
        ask("SELECT id, v FROM " + table.name + " WHERE id >= ? AND id < ? ORDER BY id", from, to));
  }

  private void several(Table table) {
    TreeMap<Integer, Integer> expected = new TreeMap<>();
    Integer[] keys = new Integer[4];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key();
      if (table.rows.containsKey(keys[i])) {
        expected.put(keys[i], table.rows.get(keys[i]));
      }
    }
    assertEquals(
        text(expected),
        ask(
            "SELECT id, v FROM " + table.name + " WHERE id IN (?, ?, ?, ?) ORDER BY id",
            (Object[]) keys));
  }

  /** Reads rows by value, through an index if there is one. */
  private void byValue(Table table) {
    Integer value = table.rows.get(key());
    if (value != null) {
      long expected = table.rows.values().stream().filter(value::equals).count();
      assertEquals(
          List.of(Long.toString(expected)),
          ask("SELECT COUNT(*) FROM " + table.name + " WHERE v = ?", value));
    }
  }

  /** Looks up rows of one table by values of the other. */
  private void join() {
    TreeMap<Integer, Integer> inner = tables.get(0).rows;
    TreeMap<Integer, Integer> outer = tables.get(1).rows;
    int from = key();
    int to = from + 40;
    List<String> expected =
        outer.subMap(from, to).keySet().stream()
            .filter(inner::containsKey)
            .map(key -> key + " " + inner.get(key))
            .toList();
    assertEquals(
        expected,
        ask(
            "SELECT b.id, a.v FROM b JOIN a ON a.id = b.id WHERE b.id >= ? AND b.id < ?"
                + " ORDER BY b.id",
            from,
            to));
  }

  private void compareAll(Table table) {
    assertEquals(text(table.rows), ask("SELECT id, v FROM " + table.name + " ORDER BY id"));
    for (int key = 0; key < KEYS; key++) {
      point(table, key);
    }
  }
}
