package org.nelumbo.executor.lock;

/** The mode in which a lock is held. */
public enum LockMode {
  /** Shared among readers; excludes writers and inserters. */
  READ(1),

  /** Exclusive. */
  WRITE(2),

  /** Shared among transactions that add entries to one index leaf; excludes readers and writers. */
  INSERT(3),

  /**
   * Mode INSERT of a leaf and, together with it, its {@link LeafKeys#change change lock}. Held
   * briefly, in a pool that other compute nodes may share.
   */
  CHANGE(5);

  private static final LockMode[] BY_CODE = {null, READ, WRITE, INSERT, null, CHANGE};

  private final byte code;

  LockMode(int code) {
    this.code = (byte) code;
  }

  /** Returns the code of the mode in messages and arrays; never 0. */
  public byte code() {
    return code;
  }

  /**
   * Returns the mode with the given code; null for 0.
   *
   * @throws ArrayIndexOutOfBoundsException if the code is invalid
   */
  public static LockMode of(int code) {
    return BY_CODE[code];
  }
}
