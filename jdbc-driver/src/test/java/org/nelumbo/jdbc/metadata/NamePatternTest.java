package org.nelumbo.jdbc.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class NamePatternTest {
  @Test
  void shouldFollowJdbcPatternSyntax() {
    assertTrue(NamePattern.of(null).test("ANY"));
    assertTrue(NamePattern.of("%").test(""));
    assertTrue(NamePattern.of("A%").test("ABC"));
    assertFalse(NamePattern.of("A%").test("BA"));
    assertTrue(NamePattern.of("A_C").test("ABC"));
    assertFalse(NamePattern.of("A_C").test("AC"));
    assertTrue(NamePattern.of("A\\_C").test("A_C"));
    assertFalse(NamePattern.of("A\\_C").test("ABC"));
    assertTrue(NamePattern.of("A\\").test("A\\"));
    assertFalse(NamePattern.of("").test("A"));
    assertTrue(NamePattern.of("A.*").test("A.*"));
  }

  @Property(seed = "1")
  void shouldMatchAsARegularExpressionDoes(
      @ForAll @Chars({'a', 'b', '%', '_'}) @StringLength(max = 8) String pattern,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 8) String name) {
    String regex = pattern.replace("%", ".*").replace('_', '.');
    assertEquals(Pattern.matches(regex, name), NamePattern.of(pattern).test(name));
  }

  /** A backtracking regular expression with as many wildcards would not finish. */
  @Test
  void shouldNotTryAllWays() {
    assertFalse(NamePattern.of("%a".repeat(60) + "b").test("a".repeat(128)));
  }
}
