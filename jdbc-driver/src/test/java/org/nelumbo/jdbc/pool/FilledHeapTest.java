package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proves that an application that fills its heap completely while it commits can continue after it
 * releases its memory: no session waits forever, and a stopped database is opened again.
 */
@Timeout(120)
class FilledHeapTest {
  private static final int MOST_PROCESSES = 3;

  private static void assertSurvivesHeapExhaustion(String url) throws Exception {
    int status = FilledHeapProcess.BROKEN;
    for (int i = 0; i < MOST_PROCESSES && status == FilledHeapProcess.BROKEN; i++) {
      status = FilledHeapProcess.run(url);
    }
    assertEquals(FilledHeapProcess.GOOD, status);
  }

  @Test
  void shouldSurviveHeapExhaustionInMemory() throws Exception {
    assertSurvivesHeapExhaustion("jdbc:nelumbo:mem:filled-heap?memory=32m");
  }

  @Test
  void shouldSurviveHeapExhaustionInFiles(@TempDir Path directory) throws Exception {
    assertSurvivesHeapExhaustion("jdbc:nelumbo:file:" + directory.resolve("files") + "?memory=32m");
  }

  @Test
  void shouldSurviveHeapExhaustionInSharedFile(@TempDir Path directory) throws Exception {
    assertSurvivesHeapExhaustion("jdbc:nelumbo:shm:" + directory.resolve("pool") + "?memory=32m");
  }
}
