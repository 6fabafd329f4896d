package org.nelumbo.soak.rounds;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.checker.HistoryChecker;
import org.nelumbo.checker.Verdict;
import org.nelumbo.history.HistoryRecorder;
import org.nelumbo.history.SessionRecorder;
import org.nelumbo.session.Isolation;
import org.nelumbo.soak.client.RoundKeys;
import org.nelumbo.soak.client.TransactionText;

/** The reports of the clients on one round, and their check. Not thread-safe. */
final class RoundRecord {
  private final int round;
  private final HistoryRecorder history = new HistoryRecorder();
  private final Set<Long> acknowledged = new HashSet<>();
  private final Set<Long> unknown = new HashSet<>();
  private long committed;
  private long aborted;
  private long unknownCount;

  RoundRecord(int round) {
    this.round = round;
  }

  /** Returns the recorder of a session that has done nothing in this round yet. */
  SessionRecorder session(int session) {
    return history.session(session);
  }

  void begin(SessionRecorder session, String isolation, long nanos, String words) {
    session.begin(Isolation.valueOf(isolation), nanos);
    TransactionText.replay(words, session);
  }

  void committed(SessionRecorder session, long nanos, long journal) {
    session.committed(nanos);
    committed++;
    if (journal != 0) {
      acknowledged.add(journal);
    }
  }

  void aborted(SessionRecorder session, long nanos) {
    session.aborted(nanos);
    aborted++;
  }

  void unknown(SessionRecorder session, long journal) {
    session.unknown();
    unknownCount++;
    if (journal != 0) {
      unknown.add(journal);
    }
  }

  long committed() {
    return committed;
  }

  long aborted() {
    return aborted;
  }

  long unknown() {
    return unknownCount;
  }

  /** Returns the violations of the round; empty if there are none. */
  List<String> check(long money, Set<Long> journal) {
    List<String> wrong = new ArrayList<>();
    if (money != RoundKeys.ACCOUNTS * RoundKeys.BALANCE) {
      wrong.add("money was created or lost: " + money);
    }
    List<Long> lost = acknowledged.stream().filter(each -> !journal.contains(each)).toList();
    if (!lost.isEmpty()) {
      wrong.add(lost.size() + " acknowledged commits are lost, such as " + lost.getFirst());
    }
    List<Long> made =
        journal.stream()
            .filter(each -> !acknowledged.contains(each) && !unknown.contains(each))
            .toList();
    if (!made.isEmpty()) {
      wrong.add(made.size() + " refused commits took effect, such as " + made.getFirst());
    }
    Verdict verdict = HistoryChecker.check(history.history());
    if (!verdict.isValid()) {
      wrong.add("history of round " + round + ": " + verdict);
    }
    return wrong;
  }

  /** Returns the number of acknowledged commits with an entry in the journal. */
  int acknowledged() {
    return acknowledged.size();
  }
}
