package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReplyTimesTest {
  private static final long MILLI = 1_000_000;
  private static final long START = Long.MAX_VALUE - 5_000 * MILLI;

  private final ReplyTimes replyTimes = new ReplyTimes(1_000 * MILLI, 5_000 * MILLI, START);

  private long now = START;

  private void reply(long millis) {
    now += millis * MILLI;
    replyTimes.add(now - millis * MILLI, now);
  }

  private void pass(long millis) {
    now += millis * MILLI;
  }

  @Test
  void shouldDeriveSilenceLimitFromLongestReplyTime() {
    assertEquals(1_000 * MILLI, replyTimes.silenceLimitNanos());
    reply(1);
    assertEquals(1_000 * MILLI, replyTimes.silenceLimitNanos());
    reply(400);
    assertEquals(1_600 * MILLI, replyTimes.silenceLimitNanos());
    reply(3_000);
    assertEquals(5_000 * MILLI, replyTimes.silenceLimitNanos());
  }

  /** The clock overflows during this test. */
  @Test
  void shouldForgetOldReplyTimes() {
    reply(500);
    pass(10_000);
    reply(1);
    assertEquals(2_000 * MILLI, replyTimes.silenceLimitNanos(), "ten seconds ago");
    pass(11_000);
    reply(1);
    assertEquals(1_000 * MILLI, replyTimes.silenceLimitNanos());
    reply(500);
    pass(21_000);
    reply(1);
    assertEquals(1_000 * MILLI, replyTimes.silenceLimitNanos(), "nothing came for long");
  }

  @Test
  void shouldReportMeanOfRecentReplyTimes() {
    assertEquals(0, replyTimes.meanNanos());
    reply(2);
    reply(4);
    assertEquals(3 * MILLI, replyTimes.meanNanos());
    pass(11_000);
    reply(1);
    assertEquals(3 * MILLI, replyTimes.meanNanos());
    pass(11_000);
    reply(1);
    assertEquals(MILLI, replyTimes.meanNanos());
  }

  @Test
  void shouldReportOverdueReply() {
    assertFalse(replyTimes.isLate());
    replyTimes.addLate(1);
    replyTimes.addLate(1);
    replyTimes.addLate(-1);
    assertTrue(replyTimes.isLate());
    replyTimes.addLate(-1);
    assertFalse(replyTimes.isLate());
  }

  @Test
  void shouldReportTimeSinceLatestAnsweredRequest() {
    assertTrue(replyTimes.sinceSentNanos(now) > 1_000_000 * MILLI, "none was answered yet");
    reply(20);
    assertEquals(20 * MILLI, replyTimes.sinceSentNanos(now));
    replyTimes.add(now - 500 * MILLI, now);
    assertEquals(20 * MILLI, replyTimes.sinceSentNanos(now), "an earlier one was answered later");
    replyTimes.setFailed();
    reply(1);
    assertTrue(replyTimes.sinceSentNanos(now) > 1_000_000 * MILLI, "a connection has failed");
  }
}
