package org.nelumbo.dm.fabric.tcp;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.KeyGenerator;

/** Creates unpredictable bytes. */
public final class Nonce {
  private static final int LENGTH_MAX = 32;

  private Nonce() {}

  /**
   * Returns new bytes, taken from a generated key that has no other use.
   *
   * @param length number of bytes, at most 32
   */
  public static byte[] make(int length) {
    try {
      KeyGenerator generator = KeyGenerator.getInstance("HmacSHA256");
      generator.init(LENGTH_MAX * Byte.SIZE);
      return Arrays.copyOf(generator.generateKey().getEncoded(), length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
