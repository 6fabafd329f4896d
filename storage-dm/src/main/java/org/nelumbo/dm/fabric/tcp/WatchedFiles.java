package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value that is read from files, and read again when their contents have changed. If the new
 * contents are invalid, the previous value stays in use, and a warning is logged once. Thread-safe.
 */
final class WatchedFiles<T> {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);

  private final List<Path> files;
  private final Loader<T> loader;
  private final ReentrantLock lock = new ReentrantLock();
  private List<byte[]> seen;
  private T value;

  /** Creates the value from the files. */
  interface Loader<T> {
    /** Reads the files; the message of an exception names the invalid one. */
    T load() throws IOException;
  }

  /**
   * Reads the files for the first time.
   *
   * @throws IOException if they are invalid
   */
  WatchedFiles(List<Path> files, Loader<T> loader) throws IOException {
    this.files = List.copyOf(files);
    this.loader = loader;
    this.seen = contents();
    this.value = loader.load();
  }

  private List<byte[]> contents() throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (Path file : files) {
      try {
        all.add(Files.readAllBytes(file));
      } catch (NoSuchFileException e) {
        throw new IOException("there is no file " + file, e);
      }
    }
    return all;
  }

  /** Returns the value of the present content of the files, or the last valid one. */
  T current() {
    lock.lock();
    try {
      readAgain();
      return value;
    } finally {
      lock.unlock();
    }
  }

  private void readAgain() {
    assert lock.isHeldByCurrentThread();
    List<byte[]> now = List.of();
    try {
      now = contents();
      if (!areEqual(now, seen)) {
        value = loader.load();
        LOG.info("{} changed and was read again", files);
      }
    } catch (IOException e) {
      if (!areEqual(now, seen)) {
        LOG.warn("{} changed and cannot be used; its previous contents stay in use", files, e);
      }
    }
    seen = now;
  }

  private static boolean areEqual(List<byte[]> some, List<byte[]> others) {
    boolean equal = some.size() == others.size();
    for (int i = 0; equal && i < some.size(); i++) {
      equal = Arrays.equals(some.get(i), others.get(i));
    }
    return equal;
  }
}
