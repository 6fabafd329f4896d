package org.nelumbo.dm.fabric.local;

/**
 * Puts memory behind the pages of a mapped file before they are used. A page that cannot be had
 * when it is touched ends in a signal, in the middle of whatever touched it; asked for before, the
 * answer is just no.
 */
public final class MappedPages {
  private static final boolean IS_LINUX = System.getProperty("os.name").startsWith("Linux");
  private static final int MADV_POPULATE_WRITE = 23;
  private static final boolean IS_KNOWN = isKnownToSystem();
  private static final int INVALID = 22;
  private static final long PAGE_BYTES = 4096;

  private MappedPages() {}

  /** Whether the system can do it: Linux since 5.14. */
  public static boolean isKnown() {
    return IS_KNOWN;
  }

  private static boolean isKnownToSystem() {
    return IS_LINUX && SystemMemory.madviseChecked(0, 0, MADV_POPULATE_WRITE) == 0;
  }

  /**
   * Sees to it that these bytes of a mapping can be written; what they hold stays as it is. Where
   * the system cannot do that it is not known, and taken for done.
   *
   * @param address absolute; the pages around it are in the mapping
   * @return false if there is no room for them
   */
  public static boolean populate(long address, long bytes) {
    if (!IS_LINUX) {
      return true;
    }
    long first = address & -PAGE_BYTES;
    long end = (address + bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
    int error = SystemMemory.madviseChecked(first, end - first, MADV_POPULATE_WRITE);
    return error == 0 || error == INVALID;
  }
}
