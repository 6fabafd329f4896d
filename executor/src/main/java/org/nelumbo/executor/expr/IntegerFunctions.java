package org.nelumbo.executor.expr;

import java.math.BigInteger;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Creates functions of integers: divisors, and bit operations in two's complement. */
public final class IntegerFunctions {
  private static final ColumnType BIGINT = ColumnType.of(Kind.BIGINT);

  /** Largest number whose factorial is a BIGINT. */
  private static final long LARGEST_FACTORIAL = 20;

  private IntegerFunctions() {}

  @FunctionalInterface
  private interface Operation {
    long apply(long left, long right);
  }

  /** Creates GCD, LCM, BITAND, BITOR or BITXOR; returns null for other names. */
  public static Expression ofTwo(String name, ColumnType type, List<Expression> operands) {
    Operation operation =
        switch (name) {
          case "GCD" -> IntegerFunctions::greatestDivisor;
          case "LCM" -> IntegerFunctions::leastMultiple;
          case "BITAND" -> (left, right) -> left & right;
          case "BITOR" -> (left, right) -> left | right;
          case "BITXOR" -> (left, right) -> left ^ right;
          default -> null;
        };
    return operation == null
        ? null
        : StrictFunctions.number(
            name,
            type,
            (_, values) -> operation.apply((Long) values[0], (Long) values[1]),
            whole(operands));
  }

  /** Creates BITNOT. */
  public static Expression complement(ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        "BITNOT", type, (_, values) -> ~(Long) values[0], whole(operands));
  }

  /**
   * Creates LSHIFT or RSHIFT in the bits of the result type. Vacated bits become zeros on the
   * right, and copies of the sign on the left; a negative count shifts in the other direction.
   *
   * @param direction 1 for a shift to the left, -1 for a shift to the right
   */
  public static Expression shift(
      String name, int direction, ColumnType type, List<Expression> operands) {
    int bits =
        switch (type.kind()) {
          case TINYINT -> Byte.SIZE;
          case SMALLINT -> Short.SIZE;
          case INTEGER -> Integer.SIZE;
          default -> Long.SIZE;
        };
    return StrictFunctions.number(
        name,
        type,
        (_, values) -> {
          long count = (long) direction * Math.clamp((Long) values[1], -bits, bits);
          return shifted((Long) values[0], count, bits);
        },
        whole(operands));
  }

  private static long shifted(long number, long count, int bits) {
    if (count >= bits) {
      return 0;
    } else if (count < 0) {
      return number >> Math.min(-count, Long.SIZE - 1);
    }
    int unused = Long.SIZE - bits;
    return number << (count + unused) >> unused;
  }

  /** Creates FACTORIAL, for numbers from 0 to 20. */
  public static Expression factorial(ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        "FACTORIAL",
        type,
        (_, values) -> {
          long number = (Long) values[0];
          if (number < 0 || number > LARGEST_FACTORIAL) {
            throw new NelumboException(
                ErrorCode.NUMBER_OUT_OF_RANGE,
                "FACTORIAL takes numbers from 0 to " + LARGEST_FACTORIAL + ", not " + number);
          }
          long product = 1;
          for (long i = 2; i <= number; i++) {
            product *= i;
          }
          return product;
        },
        whole(operands));
  }

  private static List<Expression> whole(List<Expression> operands) {
    return operands.stream().map(each -> Casts.cast(BIGINT, each)).toList();
  }

  private static long greatestDivisor(long left, long right) {
    return inRange("GCD", BigInteger.valueOf(left).gcd(BigInteger.valueOf(right)));
  }

  private static long leastMultiple(long left, long right) {
    if (left == 0 || right == 0) {
      return 0;
    }
    BigInteger first = BigInteger.valueOf(left);
    BigInteger second = BigInteger.valueOf(right);
    return inRange("LCM", first.divide(first.gcd(second)).multiply(second).abs());
  }

  private static long inRange(String name, BigInteger result) {
    if (result.bitLength() > 63) {
      throw new NelumboException(
          ErrorCode.NUMBER_OUT_OF_RANGE, name + " gives " + result + ", out of range for BIGINT");
    }
    return result.longValue();
  }
}
