package org.nelumbo.simulation.disk;

import java.io.IOException;

/**
 * The faults of a simulated disk besides loss of power. Each fault is off until it is set. For one
 * thread at a time.
 */
final class DiskFaults {
  /** Message of a failed operation. */
  static final String ERROR = "Input/output error";

  private static final String FULL = "No space left on device";

  private long capacity = Long.MAX_VALUE;

  /**
   * Operations until one fails; negative: never. The two counters below count writes and forces
   * likewise.
   */
  private long untilError = -1;

  private long untilMisdirected = -1;
  private long untilLie = -1;
  private Runnable onLie = () -> {};
  private boolean isSlow;

  /** Disables all faults. */
  void clear() {
    capacity = Long.MAX_VALUE;
    untilError = -1;
    untilMisdirected = -1;
    untilLie = -1;
    isSlow = false;
  }

  void setCapacity(long bytes) {
    capacity = bytes;
  }

  void failAfter(long operations) {
    untilError = operations;
  }

  void misdirectAfter(long writes) {
    untilMisdirected = writes;
  }

  /**
   * Makes forces lie.
   *
   * @param forces number of effective forces before
   * @param whenLied runs at the first force that lies
   */
  void lieAfter(long forces, Runnable whenLied) {
    untilLie = forces;
    onLie = whenLied;
  }

  void setSlow() {
    isSlow = true;
  }

  boolean isSlow() {
    return isSlow;
  }

  /** Fails the operation if it is the drawn one. Called before each change of the disk. */
  void checkError() throws IOException {
    if (untilError > 0 && --untilError == 0) {
      untilError = -1;
      throw new IOException(ERROR);
    }
  }

  /** Fails if the disk has no room for this number of bytes. */
  void checkRoom(long bytes) throws IOException {
    if (bytes > capacity) {
      throw new IOException(FULL);
    }
  }

  /** Counts a write; returns true if it is to be misdirected. */
  boolean isMisdirected() {
    return untilMisdirected > 0 && --untilMisdirected == 0;
  }

  /** Counts a force. */
  void countForce() {
    if (untilLie > 0 && --untilLie == 0) {
      onLie.run();
    }
  }

  /** Returns true if forces have no effect. */
  boolean isLying() {
    return untilLie == 0;
  }
}
