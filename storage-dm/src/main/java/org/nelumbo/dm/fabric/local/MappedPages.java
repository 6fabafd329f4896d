package org.nelumbo.dm.fabric.local;

/**
 * Populates pages of a mapping before they are used. If a page of a mapped file cannot be allocated
 * when it is touched, the process receives a signal in the middle of the access. If it is populated
 * before, the call only fails.
 */
public final class MappedPages {
  private static final boolean IS_LINUX = System.getProperty("os.name").startsWith("Linux");
  private static final int MADV_POPULATE_WRITE = 23;
  private static final boolean IS_KNOWN = isKnownToSystem();
  private static final int INVALID = 22;
  private static final long PAGE_BYTES = 4096;

  private MappedPages() {}

  /** Returns true if the system supports this: Linux since 5.14. */
  public static boolean isKnown() {
    return IS_KNOWN;
  }

  private static boolean isKnownToSystem() {
    return IS_LINUX && SystemMemory.madviseChecked(0, 0, MADV_POPULATE_WRITE) == 0;
  }

  /**
   * Populates the pages of a range so that the range can be written; the content stays the same. If
   * the system does not support this, the result is unknown, and the method returns true.
   *
   * @param address absolute address; the whole pages around the range are in the mapping
   * @return false if there is no room for the pages
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
