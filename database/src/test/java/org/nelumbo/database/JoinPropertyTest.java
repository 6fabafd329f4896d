package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.nelumbo.session.Isolation;

/** Compares joins that prefetch rows with nested loops over the same rows. */
class JoinPropertyTest {
  private static DistantMemory memory;
  private static Sql sql;

  private record Left(int id, Integer k) {}

  private record Right(int id, Integer k, int v) {}

  /** A query and its result for pairs of rows. */
  private enum Query {
    INNER("SELECT l.id, r.id FROM l JOIN r ON r.k = l.k AND r.v > 2"),
    OUTER("SELECT l.id, r.id FROM l LEFT JOIN r ON r.k = l.k AND r.v > 2"),
    SEMI("SELECT l.id FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.k = l.k AND r.v > 2)"),
    ANTI("SELECT l.id FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.k = l.k AND r.v > 2)"),
    SUM("SELECT l.id, (SELECT COUNT(*) FROM r WHERE r.k = l.k AND r.v > 2) FROM l");

    final String sql;

    Query(String sql) {
      this.sql = sql;
    }

    List<String> rows(Left left, List<Right> matches) {
      List<String> pairs =
          matches.stream().map(right -> left.id + " " + right.id).collect(Collectors.toList());
      return switch (this) {
        case INNER -> pairs;
        case OUTER -> pairs.isEmpty() ? List.of(left.id + " null") : pairs;
        case SEMI -> pairs.isEmpty() ? List.of() : List.of(Integer.toString(left.id));
        case ANTI -> pairs.isEmpty() ? List.of(Integer.toString(left.id)) : List.of();
        case SUM -> List.of(left.id + " " + pairs.size());
      };
    }
  }

  @BeforeContainer
  static void open() {
    memory = new DistantMemory();
    sql = memory.attachSession();
    sql.run(
        "CREATE TABLE l (id INTEGER PRIMARY KEY, k INTEGER)",
        "CREATE TABLE r (id INTEGER PRIMARY KEY, k INTEGER, v INTEGER)");
    sql.session().commit();
  }

  @AfterContainer
  static void close() {
    memory.close();
  }

  @Property(seed = "1", tries = 30)
  void shouldJoinLikeNestedLoops(
      @ForAll long seed,
      @ForAll Isolation isolation,
      @ForAll boolean readOnly,
      @ForAll boolean ascending,
      @ForAll boolean withValue) {
    Random random = new Random(seed);
    sql.session().setReadOnly(false);
    sql.session().setIsolation(Isolation.SERIALIZABLE);
    sql.run(
        "DROP TABLE r",
        "CREATE TABLE r (id INTEGER PRIMARY KEY, k INTEGER, v INTEGER)",
        "CREATE INDEX r_k ON r (k" + (ascending ? "" : " DESC") + (withValue ? ", v)" : ")"),
        "DELETE FROM l");
    List<Left> lefts = new ArrayList<>();
    List<Right> rights = new ArrayList<>();
    addLefts(random, lefts, random.nextInt(200));
    addRights(random, rights, random.nextInt(400));
    sql.session().commit();
    if (random.nextBoolean()) {
      sql = memory.attachSession();
    }
    sql.session().setIsolation(isolation);
    sql.session().setReadOnly(readOnly);
    for (int round = 0; round < 3; round++) {
      check(lefts, rights, random);
      if (!readOnly) {
        change(random, lefts, rights);
      }
    }
    check(lefts, rights, random);
    sql.session().rollback();
  }

  private static void addLefts(Random random, List<Left> lefts, int count) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Left left = new Left(lefts.size(), key(random));
      lefts.add(left);
      values.add("(" + left.id + ", " + left.k + ")");
    }
    insert("l", values);
  }

  private static void addRights(Random random, List<Right> rights, int count) {
    List<String> values = new ArrayList<>();
    int next = rights.stream().mapToInt(Right::id).max().orElse(0) + 1;
    for (int i = 0; i < count; i++) {
      Right right = new Right(next + i, key(random), random.nextInt(6));
      rights.add(right);
      values.add("(" + right.id + ", " + right.k + ", " + right.v + ")");
    }
    insert("r", values);
  }

  /** Returns a key. Some keys have many rows, others none. */
  private static Integer key(Random random) {
    int key = random.nextInt(4) == 0 ? 3 : random.nextInt(40);
    return key == 39 ? null : key;
  }

  private static void insert(String table, List<String> values) {
    if (!values.isEmpty()) {
      sql.update("INSERT INTO " + table + " VALUES " + String.join(", ", values));
    }
  }

  /** Changes rows within the transaction of the query. */
  private static void change(Random random, List<Left> lefts, List<Right> rights) {
    addLefts(random, lefts, random.nextInt(5));
    addRights(random, rights, random.nextInt(20));
    if (!rights.isEmpty()) {
      Right gone = rights.remove(random.nextInt(rights.size()));
      sql.update("DELETE FROM r WHERE id = " + gone.id);
    }
    if (!rights.isEmpty()) {
      int i = random.nextInt(rights.size());
      Right moved = new Right(rights.get(i).id, key(random), random.nextInt(6));
      rights.set(i, moved);
      sql.update("UPDATE r SET k = " + moved.k + ", v = " + moved.v + " WHERE id = " + moved.id);
    }
  }

  private static void check(List<Left> lefts, List<Right> rights, Random random) {
    for (Query query : Query.values()) {
      List<String> expected = new ArrayList<>();
      for (Left left : lefts) {
        List<Right> matches =
            rights.stream()
                .filter(right -> left.k != null && left.k.equals(right.k) && right.v > 2)
                .toList();
        expected.addAll(query.rows(left, matches));
      }
      int first = random.nextInt(4) == 0 ? random.nextInt(20) : Integer.MAX_VALUE;
      List<String> actual = new ArrayList<>(sql.query(query.sql + " ORDER BY l.id"));
      assertEquals(ids(expected), ids(actual), query.sql);
      if (first < expected.size()) {
        String limited = query.sql + " ORDER BY l.id FETCH FIRST " + first + " ROWS ONLY";
        assertEquals(ids(expected).subList(0, first), ids(sql.query(limited)), limited);
      }
      Collections.sort(expected);
      Collections.sort(actual);
      assertEquals(expected, actual, query.sql);
    }
  }

  private static List<String> ids(List<String> rows) {
    return rows.stream().map(row -> row.substring(0, (row + " ").indexOf(' '))).toList();
  }
}
