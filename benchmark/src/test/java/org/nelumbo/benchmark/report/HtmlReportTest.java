package org.nelumbo.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.check.CheckResult;

class HtmlReportTest {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>");
  private static final Pattern LOADS =
      Pattern.compile("(?i)<(?:script|img|link|iframe)[^>]*\\s(?:src|href)=");

  @Test
  void shouldEmbedResultsAndScripts() throws Exception {
    String page = page(List.of());
    Matcher data = DATA.matcher(page);
    assertTrue(data.find());
    JsonObject document = JsonParser.object().from(data.group(1));
    assertEquals(JsonReport.FORMAT, document.getInt("format"));
    assertEquals(1, document.getArray("runs").size());
    assertEquals("the command", document.getString("command"));
    assertTrue(page.contains("Chart.js v4"), "the library");
    assertTrue(page.contains("Released under the MIT License"), "its license");
    assertTrue(page.contains("prefers-color-scheme"), "our script");
  }

  @Test
  void shouldLoadNoExternalResources() throws Exception {
    String page = page(List.of());
    assertFalse(LOADS.matcher(page).find());
    assertFalse(page.contains("sourceMappingURL"));
    assertTrue(page.contains("default-src 'none'"), "the browser holds it to that");
  }

  @Test
  void shouldEscapeMarkupInText() throws Exception {
    String attack = "</script><script>alert(1)</script>";
    CheckResult check = CheckResult.failed(attack, "after run", attack);
    String page = page(List.of(check), "a <b> & " + attack);
    assertEquals(scriptEnds(page(List.of())), scriptEnds(page));
    assertTrue(page.contains("<title>a &lt;b&gt; &amp; &lt;/script&gt;"));
    Matcher data = DATA.matcher(page);
    assertTrue(data.find());
    String name =
        JsonParser.object()
            .from(data.group(1))
            .getArray("runs")
            .getObject(0)
            .getArray("checks")
            .getObject(0)
            .getString("name");
    assertEquals(attack, name, "it reads as it was");
  }

  private static long scriptEnds(String page) {
    return Pattern.compile("(?i)</script").matcher(page).results().count();
  }

  private static String page(List<CheckResult> checks) throws Exception {
    return page(checks, "a title");
  }

  private static String page(List<CheckResult> checks, String title) throws Exception {
    return HtmlReport.page(
        new HtmlReport.Frame(title, "the command", List.of("a note")),
        List.of(SampleResults.committing(1_000, checks)));
  }
}
