package org.nelumbo.soak.client;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.nelumbo.history.SessionRecorder;

/**
 * The operations of a transaction, as words of one line:
 *
 * <pre>
 *  A:key:value             appended to a list     L:key:v,v,...          read a list
 *  W:key:value             wrote a register       R:key:value  R:key:-   read a register
 *  I:key:value             inserted a register    D:key                  deleted a register
 *  S:low:high:k=v,k=v,...  scanned registers      J:number               entered in the journal
 * </pre>
 *
 * <p>Written by one session, one transaction at a time.
 */
public final class TransactionText {
  private static final Pattern WORDS = Pattern.compile(" ");
  private static final Pattern FIELDS = Pattern.compile(":");
  private static final Pattern COMMAS = Pattern.compile(",");

  private final StringBuilder text = new StringBuilder();

  void clear() {
    text.setLength(0);
  }

  void append(int key, long value) {
    word('A', key).append(':').append(value);
  }

  void list(int key, String elements) {
    word('L', key).append(':').append(elements);
  }

  void write(int key, long value) {
    word('W', key).append(':').append(value);
  }

  void read(int key, long value) {
    word('R', key).append(':').append(value);
  }

  void readNothing(int key) {
    word('R', key).append(":-");
  }

  void insert(int key, long value) {
    word('I', key).append(':').append(value);
  }

  void delete(int key) {
    word('D', key);
  }

  void scan(int low, int high) {
    word('S', low).append(':').append(high).append(':');
  }

  /** Adds the next row of the scan that was recorded last. */
  void scanned(int key, long value) {
    if (text.charAt(text.length() - 1) != ':') {
      text.append(',');
    }
    text.append(key).append('=').append(value);
  }

  void journal(long number) {
    word('J', number);
  }

  private StringBuilder word(char kind, long key) {
    if (!text.isEmpty()) {
      text.append(' ');
    }
    return text.append(kind).append(':').append(key);
  }

  @Override
  public String toString() {
    return text.toString();
  }

  /** Returns the journal number of a transaction; 0 if it entered none. */
  public static long journalOf(String words) {
    for (String word : WORDS.split(words, -1)) {
      if (word.startsWith("J:")) {
        return Long.parseLong(word.substring(2));
      }
    }
    return 0;
  }

  /** Records all operations of a transaction that has begun. */
  public static void replay(String words, SessionRecorder recorder) {
    for (String word : WORDS.split(words, -1)) {
      String[] fields = FIELDS.split(word, -1);
      switch (fields[0]) {
        case "A" -> recorder.append(key(fields), Long.parseLong(fields[2]));
        case "L" -> {
          long[] elements =
              fields[2].isEmpty()
                  ? new long[0]
                  : Arrays.stream(COMMAS.split(fields[2], -1)).mapToLong(Long::parseLong).toArray();
          recorder.list(key(fields), elements, 0, elements.length);
        }
        case "W" -> recorder.write(key(fields), Long.parseLong(fields[2]));
        case "R" -> read(fields, recorder);
        case "I" -> recorder.insert(key(fields), Long.parseLong(fields[2]));
        case "D" -> recorder.delete(key(fields));
        case "S" -> scan(fields, recorder);
        default -> {
          // the journal is checked separately
        }
      }
    }
  }

  private static int key(String[] fields) {
    return Integer.parseInt(fields[1]);
  }

  private static void read(String[] fields, SessionRecorder recorder) {
    if (fields[2].equals("-")) {
      recorder.readNothing(key(fields));
    } else {
      recorder.read(key(fields), Long.parseLong(fields[2]));
    }
  }

  private static void scan(String[] fields, SessionRecorder recorder) {
    recorder.scan(key(fields), Integer.parseInt(fields[2]));
    if (fields[3].isEmpty()) {
      return;
    }
    for (String row : COMMAS.split(fields[3], -1)) {
      int equals = row.indexOf('=');
      recorder.scanned(
          Integer.parseInt(row.substring(0, equals)), Long.parseLong(row.substring(equals + 1)));
    }
  }
}
