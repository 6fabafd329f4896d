package org.nelumbo.dm.alloc;

/**
 * Sizes in which pool memory is handed out: steps of 16 bytes up to 128, then four steps a doubling, up to 256 KiB: 8 + 4 * 11 = 52 classes, so that a class fits in 6
 * bits. At most a fifth is wasted above 128 bytes.
 */
public final class SizeClass {
  /** Number of classes. */
  public static final int COUNT = 52;

  /** Bytes of the largest class. */
  public static final int LARGEST = 256 * 1024;

  private static final int LINEAR_STEP = 16;
  private static final int LINEAR_LIMIT = 128;
  private static final int LINEAR_CLASSES = LINEAR_LIMIT / LINEAR_STEP;
  private static final int LINEAR_LIMIT_LOG = 7;
  private static final int[] BYTES = new int[COUNT];

  static {
    for (int i = 0; i < COUNT; i++) {
      if (i < LINEAR_CLASSES) {
        BYTES[i] = (i + 1) * LINEAR_STEP;
      } else {
        int doubling = (i - LINEAR_CLASSES) / 4;
        int quarter = (i - LINEAR_CLASSES) % 4 + 1;
        BYTES[i] = (LINEAR_LIMIT << doubling) + quarter * ((LINEAR_LIMIT << doubling) / 4);
      }
    }
  }

  private SizeClass() {}

  /**
   * The smallest class with room for that many bytes.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static int of(int bytes) {
    if (bytes <= LINEAR_LIMIT) {
      return bytes <= LINEAR_STEP ? 0 : (bytes - 1) / LINEAR_STEP;
    }
    if (bytes > LARGEST) {
      throw new IllegalArgumentException("larger than the largest allocation bytes=" + bytes + " largest=" + LARGEST);
    }
    int doubling = 31 - Integer.numberOfLeadingZeros(bytes - 1) - LINEAR_LIMIT_LOG;
    int base = LINEAR_LIMIT << doubling;
    int quarter = (bytes - 1 - base) / (base / 4);
    return LINEAR_CLASSES + doubling * 4 + quarter;
  }

  /** Bytes of a class. */
  public static int bytes(int sizeClass) {
    return BYTES[sizeClass];
  }
}
