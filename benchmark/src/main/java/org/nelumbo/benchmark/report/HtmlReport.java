package org.nelumbo.benchmark.report;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Results as one HTML page that needs no network. It contains the results as JSON, the scripts in
 * the package of this class, and Chart.js from its WebJar. The scripts of the page draw it, and
 * insert strings as text, never as markup.
 */
public final class HtmlReport {
  private static final String LIBRARY_FOLDER = "/META-INF/resources/webjars/chart.js/";
  private static final String LIBRARY_VERSION =
      "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
  private static final Pattern PLACE = Pattern.compile("\\$\\{(\\w+)}");
  private static final Pattern SOURCE_MAP = Pattern.compile("(?m)^//# sourceMappingURL=.*$");
  private static final Pattern SCRIPT_END = Pattern.compile("(?i)</(script)");

  private HtmlReport() {}

  /**
   * The parts of the page around the results.
   *
   * @param title title of the page
   * @param command command that started all of the runs, if there are several; otherwise empty
   * @param notes databases that could not be measured, and the reasons
   */
  public record Frame(String title, String command, List<String> notes) {
    /** Returns the frame of a single benchmark. */
    public static Frame of(List<RunResult> runs, String command) {
      RunResult first = runs.getFirst();
      List<String> products = runs.stream().map(r -> r.database().product()).distinct().toList();
      return new Frame(
          first.benchmark() + " on " + String.join(", ", products),
          runs.size() > 1 ? command : "",
          List.of());
    }
  }

  /** Writes the page, replacing the file. */
  public static void write(Path file, Frame frame, List<RunResult> runs) throws IOException {
    Files.writeString(file, page(frame, runs));
  }

  static String page(Frame frame, List<RunResult> runs) throws IOException {
    JsonObject data = JsonReport.document(runs);
    data.put("command", frame.command());
    data.put("notes", new JsonArray(frame.notes()));
    String scripts = own("dom.js") + own("charts.js") + own("report.js");
    Map<String, String> parts =
        Map.of(
            "title", escaped(frame.title()),
            "style", own("report.css"),
            "data", JsonWriter.string().value(data).done().replace("<", "\\u003c"),
            "library", SCRIPT_END.matcher(library()).replaceAll("<\\\\/$1"),
            "script", scripts);
    return PLACE
        .matcher(own("report.html"))
        .replaceAll(place -> Matcher.quoteReplacement(parts.get(place.group(1))));
  }

  private static String library() throws IOException {
    Properties about = new Properties();
    try (InputStream in = HtmlReport.class.getResourceAsStream(LIBRARY_VERSION)) {
      if (in == null) {
        throw new IOException("Chart.js is not on the class path");
      }
      about.load(in);
    }
    String file = LIBRARY_FOLDER + about.getProperty("version") + "/dist/chart.umd.min.js";
    return SOURCE_MAP.matcher(text(file)).replaceAll("");
  }

  private static String own(String name) throws IOException {
    return text("html/" + name);
  }

  private static String text(String resource) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("no resource " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
