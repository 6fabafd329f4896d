package org.nelumbo.simulation.disk;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Bytes that were written to a file. A device writes each of its sectors wholly or not at all.
 *
 * @param offset in the file
 * @param bytes written there
 */
public record FileWrite(int offset, byte[] bytes) {
  /**
   * What the file has then.
   *
   * @param content that it had; changed if it is long enough
   */
  public byte[] appliedTo(byte[] content) {
    byte[] changed = grown(content);
    System.arraycopy(bytes, 0, changed, offset, bytes.length);
    return changed;
  }

  /**
   * What the file has if the power was lost on the way.
   *
   * @param content that it had; changed if it is long enough
   * @param sector bytes of a sector
   * @param isWritten asked for each sector
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
