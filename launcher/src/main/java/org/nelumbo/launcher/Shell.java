package org.nelumbo.launcher;

import java.io.IOException;
import java.io.InputStream;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import sqlline.BuiltInProperty;
import sqlline.SqlLine;
import sqlline.SqlLineOpts;
import sqlline.SqlLineParser;
import sqlline.SqlLineProperty;

/**
 * sqlline, made to remember any failure, where it tells of the last statement only, to understand
 * at the prompt what people type first, to run its input as it comes, and to write NULL as null in
 * JSON.
 */
final class Shell extends SqlLine {
  private boolean failed;

  Shell() {
    setOpts(new Options(this));
  }

  /**
   * Options of sqlline, by which NULL is null in JSON whatever it is in tables: that format takes
   * the word for NULL as a value.
   */
  private static final class Options extends SqlLineOpts {
    Options(SqlLine shell) {
      super(shell);
    }

    @Override
    public boolean isDefault(SqlLineProperty property) {
      return property == BuiltInProperty.NULL_VALUE && "json".equalsIgnoreCase(getOutputFormat())
          || super.isDefault(property);
    }
  }

  /** Whether anything has failed. */
  boolean hasFailed() {
    return failed;
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
    PromptWords.install(reader);
    InputScript.install(this, (SqlLineParser) reader.getParser());
    return reader;
  }
}
