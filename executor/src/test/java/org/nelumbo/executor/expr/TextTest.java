package org.nelumbo.executor.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.expr.Sql.assertFails;
import static org.nelumbo.executor.expr.Sql.assertShows;
import static org.nelumbo.executor.expr.Sql.chars;
import static org.nelumbo.executor.expr.Sql.integer;
import static org.nelumbo.executor.expr.Sql.list;
import static org.nelumbo.executor.expr.Sql.text;

import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;

class TextTest {
  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.strings().withChars('a', 'b', '%', '_', '\n').ofMaxLength(8);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars('a', 'b', '\n').ofMaxLength(12);
  }

  @Property(tries = 3000)
  void shouldMatchAsARegularExpressionWould(
      @ForAll("texts") String text, @ForAll("patterns") String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
    }
    boolean expected = Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
    assertEquals(expected, LikePattern.compile(pattern, null).matches(text));
  }

  @Test
  void shouldMatchLikePatterns() {
    assertShows("TRUE", Texts.like(text("100%"), text("100!%"), text("!")));
    assertShows("FALSE", Texts.like(text("1000"), text("100!%"), text("!")));
    assertShows("TRUE", Texts.like(text("\ud83d\ude00x"), text("_x"), null));
    assertShows("NULL", Texts.like(text(null), text("%"), null));
    assertShows("NULL", Texts.like(text("a"), text(null), null));
    assertShows("NULL", Texts.like(text("a"), text("a"), text(null)));
    assertFails(ErrorCode.BAD_ESCAPE, () -> Texts.like(text("a"), text("a"), text("ab")));
    assertFails(ErrorCode.BAD_ESCAPE, () -> Texts.like(text("a"), text("a!"), text("!")));
  }

  @Test
  void shouldTellThePrefixOfAPattern() {
    assertEquals("abc", LikePattern.compile("abc%d", null).prefix());
    assertEquals("a%", LikePattern.compile("a!%_", "!").prefix());
    assertEquals(true, LikePattern.compile("ab%", null).isPrefixOnly());
    assertEquals(false, LikePattern.compile("ab%%", null).isPrefixOnly());
    assertEquals(false, LikePattern.compile("a_%", null).isPrefixOnly());
  }

  @Test
  void shouldConcatenate() {
    assertShows("ab1", Texts.concat(Sql.TEXT, list(text("a"), text("b"), integer(1))));
    assertShows("NULL", Texts.concat(Sql.TEXT, list(text("a"), text(null))));
    assertShows("ab", Texts.concatIgnoringNulls(Sql.TEXT, list(text("a"), text(null), text("b"))));
    assertShows("a  b", Texts.concat(Sql.TEXT, list(chars(3, "a  "), text("b"))));
  }

  @Test
  void shouldChangeCase() {
    assertShows("ABC", Texts.upper(Sql.TEXT, text("aBc")));
    assertShows("abc", Texts.lower(Sql.TEXT, text("aBc")));
    assertShows("Hello World", Texts.initcap(Sql.TEXT, text("hELLO wORLD")));
    assertShows("NULL", Texts.upper(Sql.TEXT, text(null)));
  }

  @Test
  void shouldTrim() {
    assertShows("a b", Texts.trim(Sql.TEXT, true, true, null, text("  a b ")));
    assertShows("a b ", Texts.trim(Sql.TEXT, true, false, null, text("  a b ")));
    assertShows("  a b", Texts.trim(Sql.TEXT, false, true, null, text("  a b ")));
    assertShows("a", Texts.trim(Sql.TEXT, true, true, text("x"), text("xxax")));
    assertShows("", Texts.trim(Sql.TEXT, true, true, text("x"), text("xxx")));
    assertFails(
        ErrorCode.BAD_PARAMETER, () -> Texts.trim(Sql.TEXT, true, true, text("xy"), text("a")));
  }

  @Test
  void shouldTakeSubstrings() {
    assertShows("bc", Texts.substring(Sql.TEXT, text("abcd"), integer(2), integer(2)));
    assertShows("bcd", Texts.substring(Sql.TEXT, text("abcd"), integer(2), null));
    assertShows("a", Texts.substring(Sql.TEXT, text("abcd"), integer(-1), integer(3)));
    assertShows("", Texts.substring(Sql.TEXT, text("abcd"), integer(9), integer(3)));
    assertShows("NULL", Texts.substring(Sql.TEXT, text("abcd"), integer(null), null));
    assertShows("b", Texts.substring(Sql.TEXT, text("\ud83d\ude00b"), integer(2), null));
    assertFails(
        ErrorCode.BAD_SUBSTRING,
        () -> Texts.substring(Sql.TEXT, text("abcd"), integer(1), integer(-1)));
    assertShows("ab", Texts.left(Sql.TEXT, text("abcd"), integer(2)));
    assertShows("", Texts.left(Sql.TEXT, text("abcd"), integer(-2)));
    assertShows("cd", Texts.right(Sql.TEXT, text("abcd"), integer(2)));
    assertShows("abcd", Texts.right(Sql.TEXT, text("abcd"), integer(9)));
  }

  @Test
  void shouldMeasureAndSearch() {
    assertShows("2", Texts.charLength(Sql.INTEGER, text("\ud83d\ude00b")));
    assertShows("5", Texts.octetLength(Sql.INTEGER, text("\ud83d\ude00b")));
    assertShows("3", Texts.charLength(Sql.INTEGER, chars(3, "a  ")));
    assertShows("3", Texts.position(Sql.INTEGER, text("c"), text("abc")));
    assertShows("0", Texts.position(Sql.INTEGER, text("x"), text("abc")));
    assertShows("1", Texts.position(Sql.INTEGER, text(""), text("abc")));
    assertShows("axxc", Texts.replace(Sql.TEXT, text("abc"), text("b"), text("xx")));
    assertShows("NULL", Texts.replace(Sql.TEXT, text("abc"), text(null), text("xx")));
  }

  @Test
  void shouldJoinBinary() {
    Expression a = Sql.value(Sql.BYTES, new byte[] {1, 2});
    Expression b = Sql.value(Sql.BYTES, new byte[] {3});
    assertShows("010203", Texts.concat(ColumnType.of(Kind.VARBINARY), list(a, b)));
    assertShows("02", Texts.substring(Sql.BYTES, a, integer(2), null));
    assertShows("2", Texts.octetLength(Sql.INTEGER, a));
  }
}
