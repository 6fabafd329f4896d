package org.nelumbo.dm.layout;

/**
 * The size classes of pool memory: steps of 16 bytes to 256, of 32 to 512, then four steps per
 * doubling up to 256 KiB. There are 60 classes, so a class fits the 6 bits that a cell has for it;
 * 64 and 1024 are exact. Waste is below 16 bytes for sizes up to 256, below 12 percent up to 512,
 * and above that below 20 percent of the class.
 */
public final class SizeClass {
  /** Number of classes; a class is 0 to this minus 1. */
  public static final int COUNT = 60;

  /** The largest size in bytes. */
  public static final int LARGEST = 256 << 10;

  private static final int FINE_BYTES_MAX = 256;
  private static final int MIDDLE_BYTES_MAX = 512;
  private static final int MIDDLE_CLASS = 16;
  private static final int COARSE_CLASS = 24;
  private static final int[] BYTES = new int[COUNT];

  static {
    for (int i = 0; i < COUNT; i++) {
      BYTES[i] = compute(i);
    }
  }

  private SizeClass() {}

  private static int compute(int sizeClass) {
    if (sizeClass < MIDDLE_CLASS) {
      return (sizeClass + 1) * 16;
    }
    if (sizeClass < COARSE_CLASS) {
      return FINE_BYTES_MAX + (sizeClass - MIDDLE_CLASS + 1) * 32;
    }
    int step = sizeClass - COARSE_CLASS;
    int base = MIDDLE_BYTES_MAX << (step >>> 2);
    return base + (base >>> 2) * ((step & 3) + 1);
  }

  /**
   * Returns the smallest class that holds {@code bytes}.
   *
   * @throws IllegalArgumentException if that is less than 1 or more than {@link #LARGEST}
   */
  public static int of(int bytes) {
    if (bytes <= 0 || bytes > LARGEST) {
      throw new IllegalArgumentException(
          "pool memory is allocated in 1 to " + LARGEST + " bytes bytes=" + bytes);
    }
    if (bytes <= FINE_BYTES_MAX) {
      return (bytes - 1) >>> 4;
    }
    if (bytes <= MIDDLE_BYTES_MAX) {
      return MIDDLE_CLASS + ((bytes - 1 - FINE_BYTES_MAX) >>> 5);
    }
    int doubling = 31 - Integer.numberOfLeadingZeros(bytes - 1);
    int quarter = (bytes - 1) >>> (doubling - 2) & 3;
    return COARSE_CLASS + (doubling - 9) * 4 + quarter;
  }

  /** Returns the bytes of a class. */
  public static int bytes(int sizeClass) {
    return BYTES[sizeClass];
  }

  /** Returns the largest class of at most {@code bytes}, which is at least 16. */
  public static int within(long bytes) {
    if (bytes >= LARGEST) {
      return COUNT - 1;
    }
    int sizeClass = of((int) bytes);
    return BYTES[sizeClass] == bytes ? sizeClass : sizeClass - 1;
  }

  /** Returns the alignment of a class: 64 for multiples of a cache line, else 16. */
  public static int alignment(int sizeClass) {
    return (BYTES[sizeClass] & 63) == 0 ? 64 : 16;
  }
}
