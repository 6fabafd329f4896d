package org.nelumbo.simulation.disk;

import java.io.IOException;

/**
 * What a disk of a world does wrong, beside losing power: each fault is off until somebody sets it.
 * One thread at a time.
 */
final class DiskFaults {
  /** What an operation that fails says. */
  static final String ERROR = "Input/output error";

  private static final String FULL = "No space left on device";

  /** Bytes that there is room for. */
  private long capacity = Long.MAX_VALUE;

  /** Operations until one fails; less than 0: never. */
  private long untilError = -1;

  /** Writes until one goes elsewhere, likewise. */
  private long untilMisdirected = -1;

  /** Forces until they do nothing but say that they have, likewise. */
  private long untilLie = -1;

  /** Told when the first force has lied. */
  private Runnable onLie = () -> {};

  /** Whether it takes long now and then. */
  private boolean isSlow;

  /** No fault from now on. */
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
   * Has forces lie.
   *
   * @param forces that are true before
   * @param whenLied told of the first that is not
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

  /** Something that changes the disk is about to be done. */
  void checkError() throws IOException {
    if (untilError > 0 && --untilError == 0) {
      untilError = -1;
      throw new IOException(ERROR);
    }
  }

  /** The disk is to have so many bytes. */
  void checkRoom(long bytes) throws IOException {
    if (bytes > capacity) {
      throw new IOException(FULL);
    }
  }

  /** Whether the write that comes now goes elsewhere. */
  boolean isMisdirected() {
    return untilMisdirected > 0 && --untilMisdirected == 0;
  }

  /** A force begins. */
  void countForce() {
    if (untilLie > 0 && --untilLie == 0) {
      onLie.run();
    }
  }

  /** Whether forces do nothing. */
  boolean isLying() {
    return untilLie == 0;
  }
}
