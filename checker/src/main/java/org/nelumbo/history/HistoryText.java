package org.nelumbo.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.nelumbo.session.Isolation;

/**
 * The text form of histories, one line per transaction:
 *
 * <pre>
 * T0 s1 SR committed 100..250 append(5,17) list(5)=[3 17] write(7,3) read(7)=3 read(8)=nil
 * T1 s2 SI unknown 120..? insert(9,4) delete(9) scan(0..10)={1:5 3:7}
 * </pre>
 *
 * <p>A line contains the number of the transaction, its session, its isolation level, the outcome
 * that the client learned, the times of its beginning and of its completion, and its operations.
 * Empty lines and lines that begin with # are skipped; transactions are numbered in the order of
 * the lines.
 */
public final class HistoryText {
  private HistoryText() {}

  /** Writes all lines. */
  public static void write(History history, Appendable out) {
    try {
      for (int i = 0; i < history.size(); i++) {
        out.append(transaction(history, i)).append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all lines. */
  public static String format(History history) {
    StringBuilder text = new StringBuilder();
    write(history, text);
    return text.toString();
  }

  /** Returns the line of a transaction, without a line end. */
  public static String transaction(History history, int transaction) {
    StringBuilder line = new StringBuilder(header(history, transaction));
    for (int i = history.firstOperation(transaction); i < history.endOperation(transaction); i++) {
      line.append(' ').append(operation(history, i));
    }
    return line.toString();
  }

  private static String header(History history, int transaction) {
    long completed = history.completed(transaction);
    return "T"
        + transaction
        + " s"
        + history.session(transaction)
        + (history.isolation(transaction) == Isolation.SERIALIZABLE ? " SR " : " SI ")
        + history.outcome(transaction).word()
        + " "
        + history.invoked(transaction)
        + ".."
        + (completed == History.NEVER ? "?" : Long.toString(completed));
  }

  /** Returns the text of an operation. */
  public static String operation(History history, int operation) {
    OperationKind kind = history.kind(operation);
    String call = kind.word() + "(" + history.key(operation);
    return switch (kind) {
      case APPEND, WRITE, INSERT -> call + "," + history.value(operation) + ")";
      case DELETE -> call + ")";
      case READ ->
          call + ")=" + (history.isPresent(operation) ? "" + history.value(operation) : "nil");
      case LIST -> call + ")=[" + elements(history, operation) + "]";
      case SCAN ->
          call + ".." + history.scanHigh(operation) + ")={" + rows(history, operation) + "}";
    };
  }

  private static String elements(History history, int operation) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < history.count(operation); i++) {
      text.append(i == 0 ? "" : " ").append(history.element(operation, i));
    }
    return text.toString();
  }

  private static String rows(History history, int operation) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < history.count(operation); i++) {
      text.append(i == 0 ? "" : " ").append(history.scanKey(operation, i));
      text.append(':').append(history.scanValue(operation, i));
    }
    return text.toString();
  }

  /**
   * Parses the output of {@link #write}.
   *
   * @throws IllegalArgumentException with the line that is invalid
   */
  public static History parse(CharSequence text) {
    HistoryParser parser = new HistoryParser();
    text.toString().lines().forEach(parser::line);
    return parser.history();
  }
}
