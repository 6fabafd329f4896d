package org.nelumbo.soak.rounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.nelumbo.history.SessionRecorder;
import org.nelumbo.soak.client.RoundKeys;

class RoundRecordTest {
  private static final long ALL_MONEY = RoundKeys.ACCOUNTS * RoundKeys.BALANCE;

  private final RoundRecord record = new RoundRecord(1);
  private final SessionRecorder one = record.session(1);
  private final SessionRecorder two = record.session(2);
  private long now;

  private void commit(SessionRecorder session, long journal, String words) {
    record.begin(session, "SERIALIZABLE", ++now, words);
    record.committed(session, ++now, journal);
  }

  private void requireOne(String part, List<String> wrong) {
    assertEquals(1, wrong.size(), wrong::toString);
    assertTrue(wrong.getFirst().contains(part), wrong::toString);
  }

  @Test
  void shouldAcceptCorrectRecord() {
    commit(one, 5, "A:100:7 J:5");
    commit(two, 0, "L:100:7 S:106:117:");
    record.begin(one, "SNAPSHOT", ++now, "A:100:8 J:6");
    record.unknown(one, 6);
    assertEquals(List.of(), record.check(ALL_MONEY, Set.of(5L)));
    assertEquals(List.of(), record.check(ALL_MONEY, Set.of(5L, 6L)));
    assertEquals(2, record.committed());
    assertEquals(1, record.unknown());
  }

  @Test
  void shouldFindALostCommit() {
    commit(one, 5, "J:5");
    requireOne("lost", record.check(ALL_MONEY, Set.of()));
  }

  @Test
  void shouldFindACommitThatWasRefused() {
    record.begin(one, "SERIALIZABLE", ++now, "J:5");
    record.aborted(one, ++now);
    requireOne("refused", record.check(ALL_MONEY, Set.of(5L)));
  }

  @Test
  void shouldFindMissingMoney() {
    requireOne("money", record.check(ALL_MONEY - 1, Set.of()));
  }

  @Test
  void shouldFindAStaleRead() {
    commit(one, 0, "W:106:1");
    commit(one, 0, "R:106:1 W:106:2");
    commit(two, 0, "R:106:1");
    requireOne("history", record.check(ALL_MONEY, Set.of()));
  }

  @Test
  void shouldFindARowThatWasRefused() {
    record.begin(one, "SERIALIZABLE", ++now, "I:106:1");
    record.aborted(one, ++now);
    commit(two, 0, "S:106:117:106=1");
    requireOne("history", record.check(ALL_MONEY, Set.of()));
  }
}
