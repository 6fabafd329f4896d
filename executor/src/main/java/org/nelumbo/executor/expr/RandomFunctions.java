package org.nelumbo.executor.expr;

import java.util.UUID;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Creates functions that return a different value at each call. */
public final class RandomFunctions {
  private RandomFunctions() {}

  /** Creates RANDOM: a number from 0 (inclusive) to 1 (exclusive). */
  public static Expression number() {
    return new LongFunctionCall(
        "RANDOM",
        ColumnType.of(Kind.DOUBLE),
        (frame, _) -> Double.doubleToRawLongBits((frame.randomLong() >>> 11) * 0x1p-53));
  }

  /** Creates GEN_RANDOM_UUID: a UUID of version 4. */
  public static Expression uuid() {
    return new ObjectFunctionCall(
        "GEN_RANDOM_UUID",
        ColumnType.of(Kind.UUID),
        (frame, _) -> uuid(frame.randomLong(), frame.randomLong()));
  }

  private static UUID uuid(long high, long low) {
    return new UUID(high & ~0xF000L | 0x4000L, low & ~(3L << 62) | 2L << 62);
  }
}
