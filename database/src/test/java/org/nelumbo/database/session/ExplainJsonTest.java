package org.nelumbo.database.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;

/** EXPLAIN (FORMAT JSON), read back by a parser. */
class ExplainJsonTest {
  private static final ObjectMapper PARSER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, s VARCHAR(40))",
        "CREATE TABLE u (id INTEGER PRIMARY KEY, t INTEGER)",
        "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c')",
        "INSERT INTO u VALUES (1, 1), (2, 1), (3, 2), (4, 9)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private JsonNode explain(String options, String statement) throws IOException {
    List<String> rows = sql.query("EXPLAIN (" + options + ") " + statement);
    assertEquals(1, rows.size());
    JsonNode document = PARSER.readTree(rows.getFirst());
    assertTrue(document.isArray() && document.size() == 1, rows::toString);
    return document.get(0);
  }

  /** Passes each operator to a check, from the root down. */
  private static void forEach(JsonNode node, java.util.function.Consumer<JsonNode> check) {
    check.accept(node);
    node.path("Plans").forEach(input -> forEach(input, check));
  }

  private static void assertHas(JsonNode node, String... names) {
    for (String name : names) {
      assertTrue(node.has(name), () -> name + " is not in " + node);
    }
  }

  @Test
  void shouldShowAPlanWithEstimates() throws IOException {
    JsonNode document =
        explain(
            "FORMAT JSON", "SELECT t.s FROM t JOIN u ON u.t = t.id WHERE u.id > 1 ORDER BY t.s");
    JsonNode plan = document.get("Plan");
    assertEquals("Sort", plan.get("Node Type").asText());
    forEach(plan, node -> assertHas(node, "Node Type", "Plan Rows"));
    forEach(plan, node -> assertFalse(node.has("Actual Rows"), node::toString));
    assertFalse(document.has("Execution Time"));
  }

  @Test
  void shouldShowActualRowsTimesAndRoundTrips() throws IOException {
    sql.query("EXPLAIN ANALYZE SELECT 1"); // verbs are counted from the next transaction on
    JsonNode document =
        explain("ANALYZE, FORMAT JSON", "SELECT u.id, t.s FROM u LEFT JOIN t ON t.id = u.t");
    assertEquals(4, document.get("Rows").asInt());
    assertHas(document, "Round Trips", "Verbs", "Bytes", "Execution Time", "Peak Memory");
    forEach(
        document.get("Plan"),
        node -> {
          assertHas(node, "Plan Rows", "Actual Rows", "Actual Loops", "Actual Total Time");
          assertHas(node, "Round Trips", "Verbs", "Bytes");
          assertTrue(node.get("Actual Total Time").asDouble() >= 0, node::toString);
        });
    assertEquals(4, document.get("Plan").get("Actual Rows").asInt());
    assertHas(document.get("Commit"), "Round Trips", "Execution Time");
  }

  @Test
  void shouldShowStagesOfPlanning() throws IOException {
    String query = "SELECT COUNT(*) FROM t LEFT JOIN u ON u.t = t.id";
    JsonNode document = explain("ANALYZE, FORMAT JSON", query);
    JsonNode planning = document.get("Planning");
    double sum = 0;
    for (String stage : List.of("Parse", "Validate", "Convert", "Optimize")) {
      double millis = planning.get(stage + " Time").asDouble();
      assertTrue(millis > 0, planning::toString);
      sum += millis;
    }
    assertEquals(document.get("Planning Time").asDouble(), sum, 1e-6);
    assertFalse(planning.get("Cached Plan").asBoolean());
    JsonNode again = explain("ANALYZE, FORMAT JSON", query);
    assertTrue(again.get("Planning").get("Cached Plan").asBoolean());
    assertEquals(document.get("Planning Time"), again.get("Planning Time"));
    assertHas(explain("FORMAT JSON, SUMMARY", query), "Planning Time");
    assertFalse(explain("FORMAT JSON", query).has("Planning"));
  }

  @Test
  void shouldReportActualRowsPerLoop() throws IOException {
    JsonNode document =
        explain(
            "ANALYZE, FORMAT JSON",
            "SELECT t.id, (SELECT COUNT(*) FROM u WHERE u.t = t.id AND u.id < t.v) FROM t");
    List<String> rowsAndLoops = new ArrayList<>();
    forEach(
        document.get("Plan"),
        node ->
            rowsAndLoops.add(
                node.get("Node Type").asText()
                    + " "
                    + node.get("Actual Rows")
                    + " "
                    + node.get("Actual Loops")));
    assertEquals(
        List.of(
            "NestedLoopIndexJoin 3.0 1",
            "IndexRangeScan 3.0 1",
            "Aggregate 1.0 3",
            "Filter 1.0 3",
            "IndexRangeScan 4.0 3"),
        rowsAndLoops);
    assertEquals(3, document.get("Rows").asInt());
  }

  @Test
  void shouldOmitCostsAndTimingIfTurnedOff() throws IOException {
    JsonNode document =
        explain("ANALYZE, FORMAT JSON, COSTS OFF, TIMING OFF", "DELETE FROM u WHERE id = 4");
    assertEquals(1, document.get("Rows").asInt());
    forEach(
        document.get("Plan"),
        node -> {
          assertFalse(node.has("Plan Rows") || node.has("Total Cost"), node::toString);
          assertFalse(node.has("Actual Total Time"), node::toString);
        });
    assertFalse(document.has("Execution Time"));
    assertEquals(List.of("3"), sql.query("SELECT COUNT(*) FROM u"));
  }

  @Test
  void shouldEscapeSpecialCharactersOfStatement() throws IOException {
    for (String text :
        List.of("\"", "\\", "a\nb\tc", "\u0001\u001f", "größe \ud83d\ude00", "(", "))")) {
      JsonNode document =
          explain("FORMAT JSON", "SELECT id FROM t WHERE s = '" + text + "' AND v + 1 > 2");
      assertTrue(document.toString().contains("Details"), document::toString);
      JsonNode plan = document.get("Plan");
      assertTrue(plan.get("Details").asText().contains(text), plan::toString);
    }
  }
}
