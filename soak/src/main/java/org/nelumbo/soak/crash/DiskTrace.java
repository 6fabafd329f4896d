package org.nelumbo.soak.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * What was done to some disks, in order, and when transactions were acknowledged. What may have its
 * effect as soon as it is asked for is noted before it is done; what holds when it has returned is
 * noted then. Thread-safe.
 */
final class DiskTrace {
  /** One thing that was done. */
  sealed interface Step {}

  /**
   * A name stands for a new file without content.
   *
   * @param disk number of the disk
   */
  record Created(int disk, String name, int file) implements Step {}

  /** A name stands for nothing any more. */
  record Deleted(int disk, String name) implements Step {}

  /** A file has another name, which may have been another one's. */
  record Renamed(int disk, String from, String to) implements Step {}

  /** Bytes were written to a file. */
  record Written(int file, long offset, byte[] bytes) implements Step {}

  /** A file is on the disk as it was after so many steps. */
  record Forced(int file, int steps) implements Step {}

  /** Names are on the disk as they were after so many steps. */
  record NamesForced(int disk, int steps) implements Step {}

  /** A transaction was acknowledged. */
  record Acknowledged(long number) implements Step {}

  /** A backup was acknowledged that has what was acknowledged before. */
  record BackedUp(long number) implements Step {}

  private final List<Step> steps = new ArrayList<>();
  private int files;

  synchronized int size() {
    return steps.size();
  }

  synchronized void add(Step step) {
    steps.add(step);
  }

  /** Notes that a file is made; returns its number. */
  synchronized int create(int disk, String name) {
    steps.add(new Created(disk, name, files));
    return files++;
  }

  /** A number for a file that was there before. */
  synchronized int addFile() {
    return files++;
  }

  synchronized List<Step> steps() {
    return List.copyOf(steps);
  }
}
