package org.nelumbo.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import org.jline.utils.AttributedString;
import sqlline.BuiltInProperty;
import sqlline.SqlLine;
import sqlline.SqlLineOpts;
import sqlline.SqlLineParser;
import sqlline.SqlLineProperty;

/**
 * A modified sqlline. It remembers every failure, where sqlline reports only the last statement;
 * replaces words from other databases; runs scripts while reading them; and writes CSV and NULL in
 * the form that each format requires.
 */
final class Shell extends SqlLine {
  private static final String CSV = "csv";
  private static final String TSV = "tsv";

  private boolean failed;
  private boolean isInScript;

  /** Runs all statements of a script. */
  @FunctionalInterface
  interface Script {
    /** Returns true if no statement has failed. */
    boolean run() throws IOException;
  }

  Shell() {
    setOpts(new Options(this));
  }

  /** Options of sqlline, with a word for NULL and a quote that depend on the output format. */
  private static final class Options extends SqlLineOpts {
    Options(SqlLine shell) {
      super(shell);
    }

    /** Returns the word for NULL if none has been set; null if the format has its own. */
    private String nullWord() {
      return switch (format()) {
        case CSV, TSV -> SeparatedValues.NULL;
        case "table", "vertical", "ansiconsole" -> "NULL";
        default -> null;
      };
    }

    String format() {
      return getOutputFormat().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns true for the word for NULL in JSON, too: sqlline would write another word as a value
     * there.
     */
    @Override
    public boolean isDefault(SqlLineProperty property) {
      if (property != BuiltInProperty.NULL_VALUE) {
        return super.isDefault(property);
      }
      return format().equals("json") || nullWord() == null && super.isDefault(property);
    }

    @Override
    public String get(SqlLineProperty property) {
      return property == BuiltInProperty.NULL_VALUE
              && super.isDefault(property)
              && nullWord() != null
          ? nullWord()
          : super.get(property);
    }

    @Override
    public char getCsvQuoteCharacter() {
      return SeparatedValues.MARK;
    }
  }

  /** Returns true if a statement or command has failed. */
  boolean hasFailed() {
    return failed;
  }

  /** Returns the replacement of a line with a word from another database, or the line itself. */
  String withoutWords(String line) {
    String command = PromptWords.command(line, getConnectionMetadata().getUrl(), getOpts());
    return command == null ? line : command;
  }

  /** Runs a script without echoing its statements. */
  boolean runScript(Script script) throws IOException {
    boolean before = isInScript;
    isInScript = true;
    try {
      return script.run();
    } finally {
      isInScript = before;
    }
  }

  /** Shows a message outside of scripts; within a script sqlline would echo each statement here. */
  @Override
  public void info(AttributedString message) {
    if (!isInScript) {
      super.info(message);
    }
  }

  /** Shows a message, except for the version of sqlline. */
  @Override
  public void info(String message) {
    if (!message.startsWith("sqlline version")) {
      super.info(message);
    }
  }

  @Override
  public void output(String text) {
    String format = ((Options) getOpts()).format();
    if (format.equals(CSV) && text.indexOf(SeparatedValues.MARK) == 0) {
      super.output(SeparatedValues.of(text, SeparatedValues.MARK, getOpts().getCsvDelimiter()));
    } else if (format.equals(TSV) && text.startsWith("\"")) {
      super.output(SeparatedValues.of(text, '"', "\t"));
    } else {
      super.output(text);
    }
  }

  @Override
  public void handleException(Throwable failure) {
    failed = true;
    super.handleException(failure);
  }

  @Override
  public boolean error(String message) {
    failed = true;
    return super.error(message);
  }

  @Override
  public LineReader getConsoleReader(InputStream input, History history) throws IOException {
    LineReader reader = super.getConsoleReader(input, history);
    PromptWords.install(this, reader);
    InputScript.install(this, (SqlLineParser) reader.getParser());
    ShellHelp.install(this);
    return reader;
  }
}
