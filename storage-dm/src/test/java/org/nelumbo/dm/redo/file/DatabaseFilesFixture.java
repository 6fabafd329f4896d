package org.nelumbo.dm.redo.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoOptions;

/** Opens the files of a database on a {@link MemoryDisk}, commits rows, and reads them back. */
public abstract class DatabaseFilesFixture {
  protected static final int SEGMENT = 5 * RedoLayout.BLOCK;
  protected static final int ROW_FORMAT = 7;

  protected final Environment environment = new SystemEnvironment();
  protected final AtomicLong clock = new AtomicLong(1_000);
  protected final AtomicReference<Throwable> failure = new AtomicReference<>();
  protected final RedoEntry entry = new RedoEntry();

  protected DatabaseFiles open(MemoryDisk disk, int rowFormat) {
    RedoOptions options = RedoOptions.DEFAULT.withSegmentBytes(SEGMENT);
    return DatabaseFiles.open(environment, disk, options, rowFormat, PoolExpectation.ANY);
  }

  protected DatabaseFiles start(MemoryDisk disk) {
    DatabaseFiles files = open(disk, ROW_FORMAT);
    files.start(clock::get, failure::set);
    return files;
  }

  protected long commit(DatabaseFiles files, String... rows) {
    entry.begin();
    for (String row : rows) {
      add(row);
    }
    files.log().commit(entry, Durability.COMMIT, clock::incrementAndGet);
    files.log().awaitForced(entry.end());
    return entry.end();
  }

  /** Adds a row whose key is its first byte. */
  protected void add(String row) {
    byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
    entry.add(3, bytes, 0, 1, bytes.length, false);
  }

  protected static List<String> rows(DatabaseFiles files) {
    List<String> rows = new ArrayList<>();
    try {
      files.forEachRow(
          (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
            assertEquals(3, store);
            assertEquals(1, keyLength);
            rows.add(new String(bytes, offset, imageLength, StandardCharsets.UTF_8));
          });
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return rows;
  }

  protected List<String> reopened(Map<String, byte[]> copy) {
    return rows(open(MemoryDisk.of(copy), ROW_FORMAT));
  }

  protected void append(DatabaseFiles files, Durability durability, String row) {
    entry.begin();
    add(row);
    files.log().commit(entry, durability, clock::incrementAndGet);
  }
}
