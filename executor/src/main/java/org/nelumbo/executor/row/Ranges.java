package org.nelumbo.executor.row;

import java.math.BigDecimal;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/** Checks whether values are in the range of a type. */
public final class Ranges {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private Ranges() {}

  /** Returns true if a raw {@code long} is a value of the type. */
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

  /**
   * Returns true if a DECIMAL with the scale of the type, or a NUMERIC, does not have more digits
   * than the type allows.
   */
  public static boolean fits(ColumnType type, BigDecimal raw) {
    return type.kind() == Kind.NUMERIC
        ? Decimals.fitsNumeric(raw)
        : Decimals.fits(raw.unscaledValue(), type.precision());
  }
}
