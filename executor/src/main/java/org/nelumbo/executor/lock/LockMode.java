package org.nelumbo.executor.lock;

/** The mode in which a lock is held. */
public enum LockMode {
  /** Shared among readers; excludes writers and inserters. */
  READ(1),

  /** Excludes everybody else. */
  WRITE(2),

  /** Shared among those who add entries to one index leaf; excludes readers and writers. */
  INSERT(3);

  private static final LockMode[] BY_CODE = {null, READ, WRITE, INSERT};

  private final byte code;

  LockMode(int code) {
    this.code = (byte) code;
  }

  /** Returns the number that stands for the mode in messages and arrays; never 0. */
  public byte code() {
    return code;
  }

  /**
   * Returns the mode of a code; null for 0.
   *
   * @throws ArrayIndexOutOfBoundsException if there is none
   */
  public static LockMode of(int code) {
    return BY_CODE[code];
  }
}
