package org.nelumbo.soak.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * The operations on some disks, in order, and the acknowledgements of transactions. An operation
 * that may have its effect as soon as it is called is recorded before the call; one that holds only
 * after its return is recorded after it. Thread-safe.
 */
final class DiskTrace {
  /** A recorded operation. */
  sealed interface Step {}

  /**
   * A new file without content.
   *
   * @param disk number of the disk
   */
  record Created(int disk, String name, int file) implements Step {}

  /** A name that is removed. */
  record Deleted(int disk, String name) implements Step {}

  /** A file that is renamed, perhaps to the name of another file. */
  record Renamed(int disk, String from, String to) implements Step {}

  /** Bytes written to a file. */
  record Written(int file, long offset, byte[] bytes) implements Step {}

  /** A force of a file, which includes this number of steps. */
  record Forced(int file, int steps) implements Step {}

  /** A force of names, which includes this number of steps. */
  record NamesForced(int disk, int steps) implements Step {}

  /** A transaction that was acknowledged. */
  record Acknowledged(long number) implements Step {}

  /** A backup that was acknowledged; it contains the transactions acknowledged before it. */
  record BackedUp(long number) implements Step {}

  private final List<Step> steps = new ArrayList<>();
  private int files;

  synchronized int size() {
    return steps.size();
  }

  synchronized void add(Step step) {
    steps.add(step);
  }

  /** Records the creation of a file; returns its number. */
  synchronized int create(int disk, String name) {
    steps.add(new Created(disk, name, files));
    return files++;
  }

  /** Returns a number for a file that already exists. */
  synchronized int addFile() {
    return files++;
  }

  synchronized List<Step> steps() {
    return List.copyOf(steps);
  }
}
