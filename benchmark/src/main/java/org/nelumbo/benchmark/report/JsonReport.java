package org.nelumbo.benchmark.report;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Results as JSON: {@code {"format": 2, "runs": [...]}}, with one object per run and the components
 * of {@link RunResult} in snake case. {@code docs/benchmark-result.schema.json} describes every
 * field. A written file can be read back.
 *
 * <p>Fields may be added within a format. Removing a field or changing its meaning requires a new
 * format.
 */
public final class JsonReport {
  static final int FORMAT = 2;

  private JsonReport() {}

  /** Writes the runs, replacing the file. */
  public static void write(Path file, List<RunResult> runs) throws IOException {
    Files.writeString(file, JsonWriter.indent("  ").string().value(document(runs)).done() + "\n");
  }

  /**
   * Reads a file that {@link #write} has written.
   *
   * @throws IOException if the file cannot be read or is not such a document
   */
  public static List<RunResult> read(Path file) throws IOException {
    try {
      JsonObject document = JsonParser.object().from(Files.readString(file));
      if (document.getInt("format") != FORMAT) {
        throw new IOException("not a benchmark result of format " + FORMAT + ": " + file);
      }
      return document.getArray("runs").stream()
          .map(run -> JsonRecords.fromJson(RunResult.class, (JsonObject) run))
          .toList();
    } catch (JsonParserException e) {
      throw new IOException("not JSON: " + file, e);
    }
  }

  static JsonObject document(List<RunResult> runs) {
    JsonArray array = new JsonArray();
    for (RunResult run : runs) {
      JsonObject object = JsonRecords.toJson(run);
      object.put("consistent", run.consistent());
      object.put("committed_per_second", run.committedPerSecond());
      array.add(object);
    }
    JsonObject document = new JsonObject();
    document.put("format", FORMAT);
    document.put("runs", array);
    return document;
  }
}
