package org.nelumbo.simulation.disk;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * A write to a file. A device writes each of its sectors wholly or not at all.
 *
 * @param offset offset in the file
 * @param bytes written bytes
 */
public record FileWrite(int offset, byte[] bytes) {
  /**
   * Returns the content of the file after the write.
   *
   * @param content previous content; modified in place if it is long enough
   */
  public byte[] appliedTo(byte[] content) {
    byte[] changed = grown(content);
    System.arraycopy(bytes, 0, changed, offset, bytes.length);
    return changed;
  }

  /**
   * Returns the content of the file after a loss of power during the write.
   *
   * @param content previous content; modified in place if it is long enough
   * @param sector bytes of a sector
   * @param isWritten called for each sector; returns true if the sector is written
   */
  public byte[] tornOver(byte[] content, int sector, BooleanSupplier isWritten) {
    byte[] changed = grown(content);
    for (int at = 0; at < bytes.length; ) {
      int count = Math.min(bytes.length - at, sector - (offset + at) % sector);
      if (isWritten.getAsBoolean()) {
        System.arraycopy(bytes, at, changed, offset + at, count);
      }
      at += count;
    }
    return changed;
  }

  private byte[] grown(byte[] content) {
    int end = offset + bytes.length;
    return content.length >= end ? content : Arrays.copyOf(content, end);
  }
}
