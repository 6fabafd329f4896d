package org.nelumbo.soak.rounds;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.nelumbo.history.SessionRecorder;
import org.nelumbo.soak.client.Reports;
import org.nelumbo.soak.client.RoundClient;
import org.nelumbo.soak.client.TransactionText;
import org.nelumbo.soak.process.ChildProcess;

/**
 * A client process as seen by the rounds: its commands and its reports. Reports arrive on a
 * separate thread; the code that handles them holds the monitor of the records.
 */
final class Client {
  private final int number;
  private final ChildProcess process;
  private final Map<Integer, Pending> pending = new HashMap<>();
  private final Map<Integer, RoundRecord> records;
  private final Map<Integer, Map<Integer, SessionRecorder>> recorders = new HashMap<>();
  private final List<String> wrong;
  private final Map<Integer, Integer> entered = new HashMap<>(); // round by session
  private boolean created;
  private long schemaChanges;
  private long spilled;
  private long full;

  /** Round of the last check that was requested from the client, and its result. */
  private int asked = -1;

  private Check check = Check.NONE;

  private record Pending(RoundRecord record, SessionRecorder session, long journal) {}

  /**
   * Counts of a client's work besides the recorded transactions.
   *
   * @param schemaChanges statements that changed tables
   * @param spilled sorts and groupings by temporary files
   * @param full those of them that found no space for a file
   */
  record Work(long schemaChanges, long spilled, long full) {
    static final Work NONE = new Work(0, 0, 0);

    Work plus(Work other) {
      return new Work(
          schemaChanges + other.schemaChanges, spilled + other.spilled, full + other.full);
    }
  }

  /** Result of a client's check of the bank. */
  record Check(int round, boolean failed, long money, Set<Long> journal) {
    static final Check NONE = new Check(-1, true, 0, Set.of());

    boolean isAnswered() {
      return round >= 0;
    }
  }

  /**
   * Starts a client.
   *
   * @param records records by round, shared by all clients
   * @param wrong receives violations
   */
  Client(
      int number,
      int firstSession,
      int sessions,
      String url,
      long seed,
      List<String> jvm,
      File errors,
      Map<Integer, RoundRecord> records,
      List<String> wrong)
      throws IOException {
    this.number = number;
    this.records = records;
    this.wrong = wrong;
    this.process =
        ChildProcess.java(
            jvm,
            List.of(
                RoundClient.class.getName(),
                url,
                Integer.toString(number),
                Integer.toString(firstSession),
                Integer.toString(sessions),
                Long.toString(seed)),
            Map.of(),
            errors,
            this::report);
  }

  ChildProcess process() {
    return process;
  }

  private void report(String line) {
    String[] words = line.split(" ", 2);
    String rest = words.length > 1 ? words[1] : "";
    synchronized (records) {
      try {
        take(words[0], rest);
      } catch (RuntimeException e) {
        wrong.add("client " + number + " wrote '" + line + "': " + e);
      }
      records.notifyAll();
    }
  }

  private void take(String kind, String rest) {
    switch (kind) {
      case Reports.TRANSACTION -> begin(rest.split(" ", 5));
      case Reports.COMMITTED -> committed(rest.split(" ", -1));
      case Reports.ABORTED -> aborted(rest.split(" ", -1));
      case Reports.UNKNOWN -> unknown(Integer.parseInt(rest));
      case Reports.ENTERED -> entered.put(session(rest), Integer.parseInt(rest.split(" ", -1)[1]));
      case Reports.DONE -> entered.remove(session(rest));
      case Reports.LOOK -> look(rest.split(" ", 3));
      case Reports.FAILED ->
          take(new Check(Integer.parseInt(rest.split(" ", 2)[0]), true, 0, Set.of()));
      case Reports.CREATED -> created = true;
      case Reports.SCHEMA -> schemaChanges = Long.parseLong(rest);
      case Reports.SPILLED -> spilled(rest.split(" ", 2));
      case Reports.WRONG -> wrong.add("client " + number + ": " + rest);
      default -> throw new IllegalArgumentException("unknown report");
    }
  }

  private static int session(String rest) {
    return Integer.parseInt(rest.split(" ", -1)[0]);
  }

  private void begin(String[] fields) {
    int session = Integer.parseInt(fields[0]);
    int round = Integer.parseInt(fields[1]);
    String text = fields.length > 4 ? fields[4] : "";
    RoundRecord record = records.computeIfAbsent(round, RoundRecord::new);
    SessionRecorder recorder =
        recorders
            .computeIfAbsent(round, r -> new HashMap<>())
            .computeIfAbsent(session, record::session);
    record.begin(recorder, fields[2], Long.parseLong(fields[3]), text);
    pending.put(session, new Pending(record, recorder, TransactionText.journalOf(text)));
  }

  private void committed(String[] fields) {
    Pending ended = pending.remove(Integer.parseInt(fields[0]));
    ended.record().committed(ended.session(), Long.parseLong(fields[1]), ended.journal());
  }

  private void aborted(String[] fields) {
    Pending ended = pending.remove(Integer.parseInt(fields[0]));
    ended.record().aborted(ended.session(), Long.parseLong(fields[1]));
  }

  private void unknown(int session) {
    Pending ended = pending.remove(session);
    ended.record().unknown(ended.session(), ended.journal());
  }

  private void look(String[] fields) {
    Set<Long> journal =
        fields[2].isEmpty()
            ? Set.of()
            : Arrays.stream(fields[2].split(",", -1))
                .map(Long::valueOf)
                .collect(Collectors.toCollection(HashSet::new));
    take(new Check(Integer.parseInt(fields[0]), false, Long.parseLong(fields[1]), journal));
  }

  /** Accepts a result, unless it is a late one of an earlier request. */
  private void take(Check reply) {
    if (reply.round() == asked) {
      check = reply;
    }
  }

  private void spilled(String[] fields) {
    spilled = Long.parseLong(fields[0]);
    full = Long.parseLong(fields[1]);
  }

  /** Marks transactions without an outcome as unknown, since the process has ended. */
  void ended() {
    synchronized (records) {
      for (Integer session : List.copyOf(pending.keySet())) {
        unknown(session);
      }
    }
  }

  /**
   * Returns true if all its sessions have ended their last transaction of a round, or the process
   * has ended.
   */
  boolean isDone(int round) {
    return !process.isAlive() || entered.values().stream().allMatch(each -> each > round);
  }

  boolean hasCreated() {
    return created;
  }

  /** Returns the counts of its work besides transactions. */
  Work work() {
    return new Work(schemaChanges, spilled, full);
  }

  /** Prepares for the client's check of the bank at the end of a round. */
  void askFor(int round) {
    asked = round;
    check = Check.NONE;
  }

  /** Returns the result of the last requested check; {@link Check#NONE} before it arrives. */
  Check check() {
    return check;
  }
}
