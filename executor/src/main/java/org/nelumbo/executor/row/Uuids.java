package org.nelumbo.executor.row;

import java.util.UUID;

/** UUIDs as 16 bytes, and their order, which is that of the bytes without sign. */
public final class Uuids {
  /** Bytes of a UUID. */
  public static final int BYTES = 16;

  private Uuids() {}

  /** The UUID of 16 bytes. */
  public static UUID of(byte[] bytes) {
    return at(bytes, 0);
  }

  /** The 16 bytes of a UUID. */
  public static byte[] bytes(UUID value) {
    byte[] bytes = new byte[BYTES];
    put(bytes, 0, value);
    return bytes;
  }

  static void put(byte[] bytes, int at, UUID value) {
    Bytes.putLongBe(bytes, at, value.getMostSignificantBits());
    Bytes.putLongBe(bytes, at + Long.BYTES, value.getLeastSignificantBits());
  }

  static UUID at(byte[] bytes, int at) {
    return new UUID(Bytes.longBe(bytes, at), Bytes.longBe(bytes, at + Long.BYTES));
  }

  /** The order of two UUIDs, as PostgreSQL has it and {@link UUID#compareTo} has not. */
  public static int compare(UUID left, UUID right) {
    int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
  }
}
