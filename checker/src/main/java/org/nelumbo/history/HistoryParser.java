package org.nelumbo.history;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.session.Isolation;

/** Parses the text form of a history line by line, see {@link HistoryText}. Not thread-safe. */
public final class HistoryParser {
  private static final Pattern HEADER =
      Pattern.compile(
          "T\\d+ s(\\d+) (SR|SI) (committed|aborted|unknown) (-?\\d+)\\.\\.(\\?|-?\\d+)(?: (.*))?");
  private static final Pattern OPERATION =
      Pattern.compile(
          "(append|write|insert)\\((-?\\d+),(-?\\d+)\\)"
              + "|delete\\((-?\\d+)\\)"
              + "|read\\((-?\\d+)\\)=(nil|-?\\d+)"
              + "|list\\((-?\\d+)\\)=\\[([-\\d ]*)\\]"
              + "|scan\\((-?\\d+)\\.\\.(-?\\d+)\\)=\\{([-\\d: ]*)\\}");

  private final HistoryRecorder recorder = new HistoryRecorder();
  private int lineNumber;

  /** Parses a line. */
  public void line(String raw) {
    lineNumber++;
    String line = raw.strip();
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    Matcher header = HEADER.matcher(line);
    if (!header.matches()) {
      throw misunderstood(line);
    }
    SessionRecorder session = new SessionRecorder(recorder, Integer.parseInt(header.group(1)));
    session.begin(
        header.group(2).equals("SR") ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT,
        Long.parseLong(header.group(4)));
    operations(session, header.group(6) == null ? "" : header.group(6));
    String end = header.group(5);
    Outcome outcome = outcome(header.group(3));
    if (end.equals("?") != (outcome == Outcome.UNKNOWN)) {
      throw misunderstood(line);
    }
    session.end(outcome, outcome == Outcome.UNKNOWN ? History.NEVER : Long.parseLong(end));
  }

  private static Outcome outcome(String word) {
    for (Outcome outcome : Outcome.values()) {
      if (outcome.word().equals(word)) {
        return outcome;
      }
    }
    throw new IllegalArgumentException("unknown outcome: " + word);
  }

  private void operations(SessionRecorder session, String text) {
    Matcher operation = OPERATION.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!operation.find(at) || operation.start() != at) {
        throw misunderstood(text.substring(at));
      }
      record(session, operation);
      at = operation.end();
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
    }
  }

  private static void record(SessionRecorder session, Matcher operation) {
    if (operation.group(1) != null) {
      int key = Integer.parseInt(operation.group(2));
      long value = Long.parseLong(operation.group(3));
      switch (operation.group(1)) {
        case "append" -> session.append(key, value);
        case "write" -> session.write(key, value);
        default -> session.insert(key, value);
      }
    } else if (operation.group(4) != null) {
      session.delete(Integer.parseInt(operation.group(4)));
    } else if (operation.group(5) != null) {
      int key = Integer.parseInt(operation.group(5));
      if (operation.group(6).equals("nil")) {
        session.readNothing(key);
      } else {
        session.read(key, Long.parseLong(operation.group(6)));
      }
    } else if (operation.group(7) != null) {
      long[] elements = longs(operation.group(8));
      session.list(Integer.parseInt(operation.group(7)), elements, 0, elements.length);
    } else {
      session.scan(Integer.parseInt(operation.group(9)), Integer.parseInt(operation.group(10)));
      long[] rows = longs(operation.group(11).replace(':', ' '));
      for (int i = 0; i < rows.length; i += 2) {
        session.scanned((int) rows[i], rows[i + 1]);
      }
    }
  }

  private static long[] longs(String text) {
    return text.isBlank()
        ? new long[0]
        : Pattern.compile(" +").splitAsStream(text.strip()).mapToLong(Long::parseLong).toArray();
  }

  private IllegalArgumentException misunderstood(String what) {
    return new IllegalArgumentException(
        "not a line of a history: " + what + " lineNumber=" + lineNumber);
  }

  /** Returns the history of all lines so far. */
  public History history() {
    return recorder.history();
  }
}
