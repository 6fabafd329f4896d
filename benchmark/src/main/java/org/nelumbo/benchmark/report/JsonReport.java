package org.nelumbo.benchmark.report;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonBuilder;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.TypeCost;

/**
 * Results as JSON: {@code {"format": 1, "runs": [...]}}, one object a run. Latencies are in
 * microseconds. A file written here can be read back.
 */
public final class JsonReport {
  private static final int FORMAT = 1;

  private JsonReport() {}

  /** Writes the runs, replacing the file. */
  public static void write(Path file, List<RunResult> runs) throws IOException {
    JsonArray array = new JsonArray();
    runs.forEach(run -> array.add(toJson(run)));
    JsonObject document = JsonObject.builder().value("format", FORMAT).value("runs", array).done();
    Files.writeString(file, JsonWriter.indent("  ").string().value(document).done() + "\n");
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if the file cannot be read or is no such document
   */
  public static List<RunResult> read(Path file) throws IOException {
    try {
      JsonObject document = JsonParser.object().from(Files.readString(file));
      if (document.getInt("format") != FORMAT) {
        throw new IOException("not a benchmark result of format " + FORMAT + ": " + file);
      }
      return objects(document.getArray("runs")).map(JsonReport::fromJson).toList();
    } catch (JsonParserException e) {
      throw new IOException("not JSON: " + file, e);
    }
  }

  private static JsonObject toJson(RunResult run) {
    JsonArray types = new JsonArray();
    run.types().forEach(type -> types.add(toJson(type, run.measuredSeconds())));
    JsonObject metrics = new JsonObject();
    run.metrics().forEach(m -> metrics.put(m.key(), metric(m)));
    JsonArray costs = new JsonArray();
    run.costs().forEach(cost -> costs.add(toJson(cost)));
    JsonArray checks = new JsonArray();
    run.checks().forEach(check -> checks.add(toJson(check)));
    return JsonObject.builder()
        .value("benchmark", run.benchmark())
        .value("database", toJson(run.database()))
        .value("terminals", run.terminals())
        .value("seed", run.seed())
        .value("parameters", new JsonObject(run.parameters()))
        .value("load_seconds", run.loadSeconds())
        .value("measured_seconds", run.measuredSeconds())
        .value("types", types)
        .value("total", toJson(run.total(), run.measuredSeconds()))
        .value("metrics", metrics)
        .value("costs", costs)
        .value("consistent", run.consistent())
        .value("checks", checks)
        .value("deviations", new JsonArray(run.deviations()))
        .value("remarks", new JsonArray(run.remarks()))
        .done();
  }

  private static JsonObject toJson(RunResult.Target target) {
    return JsonObject.builder()
        .value("url", target.url())
        .value("api", target.api())
        .value("product", target.product())
        .value("version", target.version())
        .value("isolation", target.isolation())
        .value("isolation_means", target.meaning())
        .done();
  }

  private static JsonObject toJson(TypeResult type, double seconds) {
    Latency latency = type.latency();
    JsonBuilder<JsonObject> object =
        JsonObject.builder()
            .value("name", type.name())
            .value("committed", type.committed())
            .value("per_second", type.committed() / seconds)
            .value("rollbacks", type.rolledBack())
            .value("aborts", type.aborts())
            .value("retries", type.retries())
            .value("gave_up", type.gaveUp())
            .value("unknown", type.unknown());
    return object
        .object("latency_us")
        .value("p50", latency.p50())
        .value("p95", latency.p95())
        .value("p99", latency.p99())
        .value("max", latency.max())
        .value("mean", latency.mean())
        .end()
        .done();
  }

  private static JsonObject toJson(TypeCost cost) {
    return JsonObject.builder()
        .value("name", cost.name())
        .value("transactions", cost.transactions())
        .value("round_trips", cost.roundTrips())
        .value("reads", cost.reads())
        .value("writes", cost.writes())
        .value("cas", cost.compareAndSwaps())
        .value("faa", cost.fetchAndAdds())
        .value("bytes_in", cost.bytesIn())
        .value("bytes_out", cost.bytesOut())
        .done();
  }

  private static JsonObject metric(Metric metric) {
    return JsonObject.builder()
        .value("label", metric.label())
        .value("value", metric.value())
        .done();
  }

  private static JsonObject toJson(CheckResult check) {
    return JsonObject.builder()
        .value("name", check.name())
        .value("moment", check.moment())
        .value("passed", check.passed())
        .value("offending_rows", check.offendingRows())
        .value("sample", new JsonArray(check.sample()))
        .done();
  }

  private static RunResult fromJson(JsonObject run) {
    JsonObject target = run.getObject("database");
    JsonObject metrics = run.getObject("metrics");
    Map<String, String> parameters = new LinkedHashMap<>();
    run.getObject("parameters").forEach((key, value) -> parameters.put(key, (String) value));
    return new RunResult(
        run.getString("benchmark"),
        new RunResult.Target(
            target.getString("url"),
            target.getString("api"),
            target.getString("product"),
            target.getString("version"),
            target.getString("isolation"),
            target.getString("isolation_means")),
        run.getInt("terminals"),
        run.getLong("seed"),
        parameters,
        run.getDouble("load_seconds"),
        run.getDouble("measured_seconds"),
        objects(run.getArray("types")).map(JsonReport::typeFromJson).toList(),
        typeFromJson(run.getObject("total")),
        metrics.keySet().stream().map(key -> metric(key, metrics.getObject(key))).toList(),
        objects(run.getArray("costs")).map(JsonReport::costFromJson).toList(),
        objects(run.getArray("checks")).map(JsonReport::checkFromJson).toList(),
        strings(run.getArray("deviations", new JsonArray())),
        strings(run.getArray("remarks")));
  }

  private static Metric metric(String key, JsonObject metric) {
    return new Metric(key, metric.getString("label"), metric.getDouble("value"));
  }

  private static TypeResult typeFromJson(JsonObject type) {
    JsonObject latency = type.getObject("latency_us");
    return new TypeResult(
        type.getString("name"),
        type.getLong("committed"),
        type.getLong("rollbacks"),
        type.getLong("aborts"),
        type.getLong("retries"),
        type.getLong("gave_up"),
        type.getLong("unknown"),
        new Latency(
            latency.getDouble("p50"),
            latency.getDouble("p95"),
            latency.getDouble("p99"),
            latency.getDouble("max"),
            latency.getDouble("mean")));
  }

  private static TypeCost costFromJson(JsonObject cost) {
    return new TypeCost(
        cost.getString("name"),
        cost.getLong("transactions"),
        cost.getDouble("round_trips"),
        cost.getDouble("reads"),
        cost.getDouble("writes"),
        cost.getDouble("cas"),
        cost.getDouble("faa"),
        cost.getDouble("bytes_in"),
        cost.getDouble("bytes_out"));
  }

  private static CheckResult checkFromJson(JsonObject check) {
    return new CheckResult(
        check.getString("name"),
        check.getString("moment"),
        check.getLong("offending_rows"),
        strings(check.getArray("sample")));
  }

  private static java.util.stream.Stream<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast);
  }

  private static List<String> strings(JsonArray array) {
    return array.stream().map(String.class::cast).toList();
  }
}
