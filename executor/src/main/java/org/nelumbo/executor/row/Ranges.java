package org.nelumbo.executor.row;

import java.math.BigDecimal;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/** The ranges of values that types can hold. */
public final class Ranges {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private Ranges() {}

  /** Whether a raw {@code long} is a value of the type. */
  public static boolean fits(ColumnType type, long raw) {
    return switch (type.kind()) {
      case BOOLEAN -> raw == 0 || raw == 1;
      case TINYINT -> raw == (byte) raw;
      case SMALLINT -> raw == (short) raw;
      case INTEGER, DATE -> raw == (int) raw;
      case DECIMAL -> Decimals.fits(raw, type.precision());
      case TIME -> raw >= 0 && raw < MICROS_PER_DAY;
      default -> true;
    };
  }

  /** Whether a DECIMAL of the type's scale, or a NUMERIC, has no more digits than the type. */
  public static boolean fits(ColumnType type, BigDecimal raw) {
    return type.kind() == Kind.NUMERIC
        ? Decimals.fitsNumeric(raw)
        : Decimals.fits(raw.unscaledValue(), type.precision());
  }
}
