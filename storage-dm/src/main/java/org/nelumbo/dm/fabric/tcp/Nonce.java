package org.nelumbo.dm.fabric.tcp;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.KeyGenerator;

/** Bytes that nobody can guess. */
public final class Nonce {
  private static final int LENGTH_MAX = 32;

  private Nonce() {}

  /**
   * New bytes, by the way of a key that is used for nothing else.
   *
   * @param length at most 32
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
