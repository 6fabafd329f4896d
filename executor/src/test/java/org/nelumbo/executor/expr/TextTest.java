package org.nelumbo.executor.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.expr.ExpressionFixture.assertFails;
import static org.nelumbo.executor.expr.ExpressionFixture.assertShows;
import static org.nelumbo.executor.expr.ExpressionFixture.chars;
import static org.nelumbo.executor.expr.ExpressionFixture.integer;
import static org.nelumbo.executor.expr.ExpressionFixture.list;
import static org.nelumbo.executor.expr.ExpressionFixture.text;

import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

class TextTest {
  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.strings().withChars('a', 'b', '%', '_', '\n').ofMaxLength(8);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars('a', 'b', '\n').ofMaxLength(12);
  }

  @Property(seed = "1", tries = 3000)
  void shouldMatchAsARegularExpressionWould(
      @ForAll("texts") String text, @ForAll("patterns") String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
    }
    boolean expected = Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
    assertEquals(expected, LikePattern.compile(pattern, null).matches(text, new StatementLimits()));
  }

  @Test
  void shouldMatchLikePatterns() {
    assertShows("TRUE", TextFunctions.like(text("100%"), text("100!%"), text("!")));
    assertShows("FALSE", TextFunctions.like(text("1000"), text("100!%"), text("!")));
    assertShows("TRUE", TextFunctions.like(text("\ud83d\ude00x"), text("_x"), null));
    assertShows("NULL", TextFunctions.like(text(null), text("%"), null));
    assertShows("NULL", TextFunctions.like(text("a"), text(null), null));
    assertShows("NULL", TextFunctions.like(text("a"), text("a"), text(null)));
    assertFails(ErrorCode.BAD_ESCAPE, () -> TextFunctions.like(text("a"), text("a"), text("ab")));
    assertFails(ErrorCode.BAD_ESCAPE, () -> TextFunctions.like(text("a"), text("a!"), text("!")));
  }

  @Test
  void shouldExtractPrefixOfLikePattern() {
    assertEquals("abc", LikePattern.compile("abc%d", null).prefix());
    assertEquals("a%", LikePattern.compile("a!%_", "!").prefix());
    assertEquals(true, LikePattern.compile("ab%", null).isPrefixOnly());
    assertEquals(false, LikePattern.compile("ab%%", null).isPrefixOnly());
    assertEquals(false, LikePattern.compile("a_%", null).isPrefixOnly());
  }

  @Test
  void shouldConcatenate() {
    assertShows(
        "ab1",
        TextFunctions.concat(ExpressionFixture.TEXT, list(text("a"), text("b"), integer(1))));
    assertShows("NULL", TextFunctions.concat(ExpressionFixture.TEXT, list(text("a"), text(null))));
    assertShows(
        "ab",
        TextFunctions.concatIgnoringNulls(
            ExpressionFixture.TEXT, list(text("a"), text(null), text("b"))));
    assertShows(
        "a  b", TextFunctions.concat(ExpressionFixture.TEXT, list(chars(3, "a  "), text("b"))));
  }

  @Test
  void shouldChangeCase() {
    assertShows("ABC", TextFunctions.upper(ExpressionFixture.TEXT, text("aBc")));
    assertShows("abc", TextFunctions.lower(ExpressionFixture.TEXT, text("aBc")));
    assertShows("Hello World", TextFunctions.initcap(ExpressionFixture.TEXT, text("hELLO wORLD")));
    assertShows("NULL", TextFunctions.upper(ExpressionFixture.TEXT, text(null)));
  }

  @Test
  void shouldTrim() {
    assertShows(
        "a b", TextFunctions.trim(ExpressionFixture.TEXT, true, true, null, text("  a b ")));
    assertShows(
        "a b ", TextFunctions.trim(ExpressionFixture.TEXT, true, false, null, text("  a b ")));
    assertShows(
        "  a b", TextFunctions.trim(ExpressionFixture.TEXT, false, true, null, text("  a b ")));
    assertShows(
        "a", TextFunctions.trim(ExpressionFixture.TEXT, true, true, text("x"), text("xxax")));
    assertShows("", TextFunctions.trim(ExpressionFixture.TEXT, true, true, text("x"), text("xxx")));
    assertShows(
        "a", TextFunctions.trim(ExpressionFixture.TEXT, true, true, text("xy"), text("xyxayy")));
  }

  @Test
  void shouldComputeSubstringLeftAndRight() {
    assertShows(
        "bc",
        TextFunctions.substring(ExpressionFixture.TEXT, text("abcd"), integer(2), integer(2)));
    assertShows(
        "bcd", TextFunctions.substring(ExpressionFixture.TEXT, text("abcd"), integer(2), null));
    assertShows(
        "a",
        TextFunctions.substring(ExpressionFixture.TEXT, text("abcd"), integer(-1), integer(3)));
    assertShows(
        "", TextFunctions.substring(ExpressionFixture.TEXT, text("abcd"), integer(9), integer(3)));
    assertShows(
        "NULL", TextFunctions.substring(ExpressionFixture.TEXT, text("abcd"), integer(null), null));
    assertShows(
        "b",
        TextFunctions.substring(ExpressionFixture.TEXT, text("\ud83d\ude00b"), integer(2), null));
    assertFails(
        ErrorCode.BAD_SUBSTRING,
        () ->
            TextFunctions.substring(ExpressionFixture.TEXT, text("abcd"), integer(1), integer(-1)));
    assertShows("ab", TextFunctions.left(ExpressionFixture.TEXT, text("abcd"), integer(2)));
    assertShows("ab", TextFunctions.left(ExpressionFixture.TEXT, text("abcd"), integer(-2)));
    assertShows("cd", TextFunctions.right(ExpressionFixture.TEXT, text("abcd"), integer(2)));
    assertShows("abcd", TextFunctions.right(ExpressionFixture.TEXT, text("abcd"), integer(9)));
  }

  @Test
  void shouldMeasureAndSearch() {
    assertShows("2", TextFunctions.charLength(ExpressionFixture.INTEGER, text("\ud83d\ude00b")));
    assertShows("5", TextFunctions.octetLength(ExpressionFixture.INTEGER, text("\ud83d\ude00b")));
    assertShows("3", TextFunctions.charLength(ExpressionFixture.INTEGER, chars(3, "a  ")));
    assertShows(
        "3", TextFunctions.position(ExpressionFixture.INTEGER, text("c"), text("abc"), null));
    assertShows(
        "0", TextFunctions.position(ExpressionFixture.INTEGER, text("x"), text("abc"), null));
    assertShows(
        "1", TextFunctions.position(ExpressionFixture.INTEGER, text(""), text("abc"), null));
    assertShows(
        "axxc", TextFunctions.replace(ExpressionFixture.TEXT, text("abc"), text("b"), text("xx")));
    assertShows(
        "NULL", TextFunctions.replace(ExpressionFixture.TEXT, text("abc"), text(null), text("xx")));
  }

  @Test
  void shouldJoinBinary() {
    Expression a = ExpressionFixture.value(ExpressionFixture.BYTES, new byte[] {1, 2});
    Expression b = ExpressionFixture.value(ExpressionFixture.BYTES, new byte[] {3});
    assertShows("010203", TextFunctions.concat(ColumnType.of(Kind.VARBINARY), list(a, b)));
    assertShows("02", TextFunctions.substring(ExpressionFixture.BYTES, a, integer(2), null));
    assertShows("2", TextFunctions.octetLength(ExpressionFixture.INTEGER, a));
  }
}
