package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;

/**
 * Output of commands.
 *
 * @param isFinal true unless another read may return other output
 */
record Output(boolean isFinal, Source source) {
  private static final long PAUSE_MILLIS = 20;
  private static final int ATTEMPTS = 1500;

  /** Reads output. */
  interface Source {
    String read() throws IOException, InterruptedException;
  }

  static Output of(String text) {
    return new Output(true, () -> text);
  }

  static Output changing(Source source) {
    return new Output(false, source);
  }

  /** Returns this output followed by another one. */
  Output with(Output next) {
    return new Output(isFinal && next.isFinal, () -> source.read() + "\n" + next.source.read());
  }

  /** Asserts that the lines of a page are in the output, or will be there after some seconds. */
  void assertContains(List<String> shown, Object where) throws IOException, InterruptedException {
    String printed = source.read();
    String missing = OutputComparison.missing(shown, printed.lines().toList());
    for (int i = 0; !missing.isEmpty() && !isFinal && i < ATTEMPTS; i++) {
      Thread.sleep(PAUSE_MILLIS);
      printed = source.read();
      missing = OutputComparison.missing(shown, printed.lines().toList());
    }
    assertEquals("", missing, "not printed, but shown in " + where + "; printed is\n" + printed);
  }
}
