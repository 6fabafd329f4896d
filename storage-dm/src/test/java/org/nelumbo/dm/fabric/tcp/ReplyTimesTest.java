package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReplyTimesTest {
  private static final long MILLI = 1_000_000;
  private static final long START = Long.MAX_VALUE - 5_000 * MILLI;

  private final ReplyTimes answerTimes = new ReplyTimes(1_000 * MILLI, 5_000 * MILLI, START);

  private long now = START;

  private void answer(long millis) {
    now += millis * MILLI;
    answerTimes.add(now - millis * MILLI, now);
  }

  private void pass(long millis) {
    now += millis * MILLI;
  }

  @Test
  void shouldLoseItsPatienceSoonerWithWhoWasQuick() {
    assertEquals(1_000 * MILLI, answerTimes.silenceLimitNanos());
    answer(1);
    assertEquals(1_000 * MILLI, answerTimes.silenceLimitNanos());
    answer(400);
    assertEquals(1_600 * MILLI, answerTimes.silenceLimitNanos());
    answer(3_000);
    assertEquals(5_000 * MILLI, answerTimes.silenceLimitNanos());
  }

  /** The clock overflows during this test. */
  @Test
  void shouldForgetWhatIsLongAgo() {
    answer(500);
    pass(10_000);
    answer(1);
    assertEquals(2_000 * MILLI, answerTimes.silenceLimitNanos(), "ten seconds ago");
    pass(11_000);
    answer(1);
    assertEquals(1_000 * MILLI, answerTimes.silenceLimitNanos());
    answer(500);
    pass(21_000);
    answer(1);
    assertEquals(1_000 * MILLI, answerTimes.silenceLimitNanos(), "nothing came for long");
  }

  @Test
  void shouldTellTheMeanOfLateAnswers() {
    assertEquals(0, answerTimes.meanNanos());
    answer(2);
    answer(4);
    assertEquals(3 * MILLI, answerTimes.meanNanos());
    pass(11_000);
    answer(1);
    assertEquals(3 * MILLI, answerTimes.meanNanos());
    pass(11_000);
    answer(1);
    assertEquals(MILLI, answerTimes.meanNanos());
  }

  @Test
  void shouldKnowWhetherAnAnswerIsOverdue() {
    assertFalse(answerTimes.isLate());
    answerTimes.addLate(1);
    answerTimes.addLate(1);
    answerTimes.addLate(-1);
    assertTrue(answerTimes.isLate());
    answerTimes.addLate(-1);
    assertFalse(answerTimes.isLate());
  }

  @Test
  void shouldTellWhenTheLatestAnsweredRequestWasSent() {
    assertTrue(answerTimes.sinceSentNanos(now) > 1_000_000 * MILLI, "none was answered yet");
    answer(20);
    assertEquals(20 * MILLI, answerTimes.sinceSentNanos(now));
    answerTimes.add(now - 500 * MILLI, now);
    assertEquals(20 * MILLI, answerTimes.sinceSentNanos(now), "an earlier one was answered later");
    answerTimes.setFailed();
    answer(1);
    assertTrue(answerTimes.sinceSentNanos(now) > 1_000_000 * MILLI, "a connection has failed");
  }
}
