package org.nelumbo.sqlgen;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Statements with the outcomes of a reference database, as a compressed text. It allows a build to
 * compare with a database that is not installed. Each record is a line with the statement, followed
 * by its outcome: a line for each row, or one line.
 *
 * <pre>
 * round 17
 * statement - CREATE TABLE t0 (c0 INTEGER)
 * count 0
 * statement fo SELECT c0 FROM t0 ORDER BY c0      f: may fail by its data, o: order counts
 * row 1
 * rows
 * begin -                                         or r: read only
 * commit -
 * </pre>
 */
final class Recording {
  private Recording() {}

  /** A step of a recorded round. */
  sealed interface Step {
    /** The start of a round: its tables are dropped and created anew. */
    record Start(long seed) implements Step {}

    /** A statement, and its outcome in the reference database. */
    record Run(GeneratedStatement statement, Outcome reference) implements Step {}

    /** The start of a transaction. */
    record Begin(boolean readOnly) implements Step {}

    /** The end of the transaction. */
    record End(boolean commits) implements Step {}
  }

  /** Reads all steps of a recording. */
  static List<Step> read(InputStream compressed) throws IOException {
    List<Step> steps = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(compressed), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", 3);
        steps.add(
            switch (words[0]) {
              case "round" -> new Step.Start(Long.parseLong(words[1]));
              case "begin" -> new Step.Begin(words[1].equals("r"));
              case "commit" -> new Step.End(true);
              case "rollback" -> new Step.End(false);
              case "statement" ->
                  new Step.Run(
                      new GeneratedStatement(
                          unescaped(words[2]),
                          List.of(),
                          words[1].indexOf('f') >= 0,
                          words[1].indexOf('o') >= 0),
                      outcome(in));
              default -> throw new IOException("not a record: " + line);
            });
      }
    }
    return steps;
  }

  private static Outcome outcome(BufferedReader in) throws IOException {
    List<String> rows = new ArrayList<>();
    while (true) {
      String line = in.readLine();
      if (line == null) {
        throw new IOException("the last statement has no outcome");
      }
      int space = line.indexOf(' ');
      String rest = line.substring(space + 1);
      switch (space < 0 ? line : line.substring(0, space)) {
        case "row" -> rows.add(unescaped(rest));
        case "rows" -> {
          return new Outcome.Rows(rows);
        }
        case "count" -> {
          return new Outcome.Count(Long.parseLong(rest));
        }
        case "failure" -> {
          return new Outcome.Failure(rest, "recorded");
        }
        default -> throw new IOException("not an outcome: " + line);
      }
    }
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        char code = text.charAt(++i);
        out.append(code == 'n' ? '\n' : code == 'r' ? '\r' : code);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /** A writer of a recording while rounds run on the reference database. */
  static final class Recorder implements AutoCloseable {
    private final Writer out;

    /** Creates a recorder that writes to a file, or discards the recording if the file is null. */
    Recorder(Path fileOrNull) throws IOException {
      out =
          fileOrNull == null
              ? Writer.nullWriter()
              : new OutputStreamWriter(
                  new GZIPOutputStream(Files.newOutputStream(fileOrNull)), StandardCharsets.UTF_8);
    }

    void start(long seed) throws IOException {
      out.write("round " + seed + "\n");
    }

    void begin(boolean readOnly) throws IOException {
      out.write(readOnly ? "begin r\n" : "begin -\n");
    }

    void end(boolean commits) throws IOException {
      out.write(commits ? "commit -\n" : "rollback -\n");
    }

    void run(GeneratedStatement statement, Outcome outcome) throws IOException {
      String flags = (statement.fallible() ? "f" : "") + (statement.ordered() ? "o" : "");
      out.write("statement " + (flags.isEmpty() ? "-" : flags) + " ");
      out.write(escaped(statement.plain()) + "\n");
      switch (outcome) {
        case Outcome.Rows rows -> {
          for (String row : rows.rows()) {
            out.write("row " + escaped(row) + "\n");
          }
          out.write("rows\n");
        }
        case Outcome.Count count -> out.write("count " + count.count() + "\n");
        case Outcome.Failure failure -> out.write("failure " + failure.sqlState() + "\n");
        case Outcome.Fault fault -> throw new IOException("the reference failed", fault.thrown());
      }
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
