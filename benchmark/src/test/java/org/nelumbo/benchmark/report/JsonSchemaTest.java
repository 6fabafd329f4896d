package org.nelumbo.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.check.CheckResult;

/** Checks that the published schema and the written results agree, in both directions. */
class JsonSchemaTest {
  private static final Path SCHEMA = Path.of("../docs/benchmark-result.schema.json");

  private final List<String> mistakes = new ArrayList<>();
  private JsonObject schema;

  @Test
  void shouldDescribeExactlyTheWrittenFields() throws Exception {
    schema = JsonParser.object().from(Files.readString(SCHEMA));
    CheckResult check = new CheckResult("3.3.2.1", "after run", 1, List.of("w=1"));
    compare("$", schema, JsonReport.document(List.of(SampleResults.committing(9, List.of(check)))));
    assertEquals(List.of(), mistakes);
  }

  @Test
  void shouldDocumentEveryField() throws Exception {
    schema = JsonParser.object().from(Files.readString(SCHEMA));
    JsonObject definitions = schema.getObject("$defs");
    definitions
        .keySet()
        .forEach(
            name -> {
              JsonObject properties = definitions.getObject(name).getObject("properties");
              properties.keySet().stream()
                  .filter(property -> !properties.getObject(property).has("description"))
                  .forEach(property -> mistakes.add(name + "." + property));
            });
    assertEquals(List.of(), mistakes);
  }

  private void compare(String path, JsonObject described, Object value) {
    JsonObject type = resolved(described);
    if (value instanceof JsonArray array) {
      array.forEach(element -> compare(path + "[]", type.getObject("items"), element));
    } else if (value instanceof JsonObject object && type.has("properties")) {
      JsonObject properties = type.getObject("properties");
      Set<String> expected = new TreeSet<>(properties.keySet());
      if (!expected.equals(new TreeSet<>(object.keySet()))) {
        mistakes.add(path + ": schema " + expected + ", written " + object.keySet());
        return;
      }
      object.forEach((name, each) -> compare(path + "." + name, properties.getObject(name), each));
    } else if (type.has("type") && !fits(type.getString("type"), value)) {
      mistakes.add(path + " is no " + type.getString("type") + ": " + value);
    }
  }

  private JsonObject resolved(JsonObject described) {
    String reference = described.getString("$ref");
    return reference == null
        ? described
        : schema.getObject("$defs").getObject(reference.substring("#/$defs/".length()));
  }

  private static boolean fits(String type, Object value) {
    return switch (type) {
      case "number" -> value instanceof Number;
      case "integer" -> value instanceof Integer || value instanceof Long;
      case "boolean" -> value instanceof Boolean;
      case "string" -> value instanceof String;
      default -> value instanceof JsonObject;
    };
  }
}
