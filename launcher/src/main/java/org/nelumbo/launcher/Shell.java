package org.nelumbo.launcher;

import java.io.IOException;
import java.io.InputStream;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import sqlline.SqlLine;

/**
 * sqlline, made to remember any failure, where it tells of the last statement only, and to
 * understand at the prompt what people type first.
 */
final class Shell extends SqlLine {
  private boolean failed;

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
    return reader;
  }
}
