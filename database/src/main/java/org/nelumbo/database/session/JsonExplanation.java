package org.nelumbo.database.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.nelumbo.executor.plan.ExplainedOperator;
import org.nelumbo.executor.plan.OperatorStatistics;
import org.nelumbo.executor.plan.VerbCount;
import org.nelumbo.parser.ast.ExplainOptions;
import org.nelumbo.planner.frontend.PlanTimes;

/**
 * Formats an explanation as a JSON document with the structure and the names of PostgreSQL, so that
 * tools that draw its plans can draw these plans. Rows and times of an operator are means per
 * opening, with the number of openings beside them. Times are in milliseconds.
 */
final class JsonExplanation {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonGenerator json;
  private final ExplainOptions options;

  private JsonExplanation(JsonGenerator json, ExplainOptions options) {
    this.json = json;
    this.options = options;
  }

  /** Returns one row with one text. */
  static List<Object[]> of(Explanation explanation, ExplainOptions options) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      generator.setPrettyPrinter(new DefaultPrettyPrinter());
      new JsonExplanation(generator, options).write(explanation);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.<Object[]>of(new Object[] {text.toString()});
  }

  private void write(Explanation explanation) throws IOException {
    json.writeStartArray();
    json.writeStartObject();
    json.writeFieldName("Plan");
    write(explanation.plan());
    if (options.showsPlanning()) {
      writePlanning(explanation);
    }
    Explanation.Total statement = explanation.statement();
    if (statement != null) {
      json.writeNumberField("Rows", statement.rows());
      write(statement.verbs());
      json.writeNumberField("Peak Memory", statement.memory());
      writeTime("Execution Time", (double) statement.nanos());
    }
    Explanation.Total commit = explanation.commit();
    if (commit != null) {
      json.writeObjectFieldStart("Commit");
      write(commit.verbs());
      writeTime("Execution Time", (double) commit.nanos());
      json.writeEndObject();
    }
    json.writeEndObject();
    json.writeEndArray();
  }

  private void writePlanning(Explanation explanation) throws IOException {
    PlanTimes times = explanation.planning();
    json.writeObjectFieldStart("Planning");
    json.writeBooleanField("Cached Plan", explanation.isPlanCached());
    writeTime("Parse Time", (double) times.of(PlanTimes.Stage.PARSE));
    writeTime("Validate Time", (double) times.of(PlanTimes.Stage.VALIDATE));
    writeTime("Convert Time", (double) times.of(PlanTimes.Stage.CONVERT));
    writeTime("Optimize Time", (double) times.of(PlanTimes.Stage.OPTIMIZE));
    json.writeEndObject();
    writeTime("Planning Time", (double) times.total());
  }

  private void write(ExplainedOperator node) throws IOException {
    String text = node.text();
    int end = text.endsWith(")") ? text.indexOf('(') : -1;
    json.writeStartObject();
    json.writeStringField("Node Type", end < 0 ? text : text.substring(0, end));
    if (end >= 0) {
      json.writeStringField("Details", text.substring(end + 1, text.length() - 1));
    }
    if (options.costs() && node.expectedCost() >= 0) {
      json.writeNumberField("Total Cost", rounded(node.expectedCost()));
    }
    if (options.costs() && node.expectedRows() >= 0) {
      json.writeNumberField("Plan Rows", Math.round(node.expectedRows()));
    }
    OperatorStatistics measured = node.statistics();
    if (measured != null) {
      double opens = Math.max(1, measured.opens());
      json.writeNumberField("Actual Rows", rounded(measured.rows() / opens));
      json.writeNumberField("Actual Loops", measured.opens());
      writeTime("Actual Total Time", measured.nanos() / opens);
      write(measured.verbs());
      if (measured.spilledBytes() > 0) {
        json.writeNumberField("Spilled Bytes", measured.spilledBytes());
      }
    }
    if (!node.inputs().isEmpty()) {
      json.writeArrayFieldStart("Plans");
      for (ExplainedOperator input : node.inputs()) {
        write(input);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void write(VerbCount verbs) throws IOException {
    if (verbs.isCounted()) {
      json.writeNumberField("Round Trips", verbs.roundTrips());
      json.writeNumberField("Verbs", verbs.verbs());
      json.writeNumberField("Bytes", verbs.bytes());
    }
  }

  private void writeTime(String name, double nanos) throws IOException {
    if (options.timing()) {
      json.writeNumberField(name, nanos / NANOS_PER_MILLI);
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
