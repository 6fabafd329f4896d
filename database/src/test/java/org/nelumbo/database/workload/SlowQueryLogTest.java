package org.nelumbo.database.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowQueryLogTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT * FROM t WHERE a = 5 | SELECT * FROM t WHERE a = ?",
        "SELECT a1 FROM t2 WHERE a = -1.5e10 | SELECT a1 FROM t2 WHERE a = -?",
        "INSERT INTO t VALUES ('it''s', ?) | INSERT INTO t VALUES (?, ?)",
        "SELECT \"it's 5\" FROM t | SELECT \"it's 5\" FROM t",
        "SELECT 1 /* secret 5 */ FROM t -- secret | SELECT ? FROM t",
        "SELECT   x'0F',   DATE '2024-01-01' | SELECT x?, DATE ?",
        "SELECT 'unfinished | SELECT ?",
        "SELECT 1/2 | SELECT ?/?"
      })
  void shouldShowNoLiteral(String sql, String expected) {
    assertEquals(expected, SlowQueryLog.normalized(sql));
  }

  @Test
  void shouldCutLongStatements() {
    String text = SlowQueryLog.normalized("SELECT a" + ", a".repeat(100_000));
    assertTrue(text.length() < 2_100 && text.endsWith(" ..."), text);
  }

  @Property(seed = "1", tries = 300)
  void shouldNeverShowASecret(@ForAll String before, @ForAll int number) {
    String names = before.replaceAll("[\"'/*\\-]", " ");
    String sql = names + " 'geheim" + number + "' " + (number & 0xffffff);
    assertFalse(SlowQueryLog.normalized(sql).contains("geheim"), sql);
  }
}
