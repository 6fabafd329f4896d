package org.nelumbo.executor.expr;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Creates functions that convert bytes to text and back, and digests. */
public final class BinaryFunctions {
  /** Characters per line of BASE64, as in PostgreSQL and MIME. */
  private static final int LINE = 76;

  private static final byte[] NEW_LINE = {'\n'};

  private BinaryFunctions() {}

  /** Creates ENCODE: converts bytes to text in the format 'hex' or 'base64'. */
  public static Expression encode(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "ENCODE",
        type,
        (limits, values) -> {
          byte[] bytes = (byte[]) values[0];
          limits.checkLength(2L * bytes.length, "ENCODE");
          limits.workOnText(bytes.length);
          return switch (format(values[1])) {
            case "HEX" -> HexFormat.of().formatHex(bytes);
            default -> Base64.getMimeEncoder(LINE, NEW_LINE).encodeToString(bytes);
          };
        },
        operands);
  }

  /** Creates DECODE: converts a text in the format 'hex' or 'base64' to bytes. */
  public static Expression decode(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "DECODE",
        type,
        (limits, values) -> {
          String text = (String) values[0];
          limits.workOnText(text.length());
          String format = format(values[1]);
          try {
            return format.equals("HEX")
                ? HexFormat.of().parseHex(text)
                : Base64.getMimeDecoder().decode(text.getBytes(StandardCharsets.US_ASCII));
          } catch (IllegalArgumentException e) {
            throw new NelumboException(
                ErrorCode.BAD_PARAMETER, "not " + format + ": " + e.getMessage(), e);
          }
        },
        operands);
  }

  /**
   * Creates a digest of bytes, or of a text in UTF-8.
   *
   * @param algorithm name of the algorithm for {@link MessageDigest}
   */
  public static Expression digest(
      String name, String algorithm, ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        name, type, (limits, values) -> digest(limits, algorithm, values[0]), operands);
  }

  /**
   * Creates HEX: the bytes of a value, or of a text in UTF-8, or an integer, in upper-case
   * hexadecimal digits.
   */
  public static Expression hex(ColumnType type, List<Expression> operands) {
    Expression operand = operands.getFirst();
    boolean isNumber = operand.type().kind().isNumeric();
    return StrictFunctions.object(
        "HEX",
        type,
        (limits, values) ->
            switch (values[0]) {
              case Long number -> Long.toHexString(number).toUpperCase(Locale.ROOT);
              case Object value -> {
                byte[] bytes =
                    value instanceof String text
                        ? text.getBytes(StandardCharsets.UTF_8)
                        : (byte[]) value;
                limits.checkLength(2L * bytes.length, "HEX");
                limits.workOnText(bytes.length);
                yield HexFormat.of().withUpperCase().formatHex(bytes);
              }
            },
        List.of(
            isNumber
                ? Casts.cast(ColumnType.of(Kind.BIGINT), operand)
                : operand.type().kind().isBinary() ? operand : TextFunctions.text(operand)));
  }

  /** Creates MD5, whose result is in hexadecimal digits. */
  public static Expression md5(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "MD5",
        type,
        (limits, values) -> HexFormat.of().formatHex(digest(limits, "MD5", values[0])),
        operands);
  }

  private static byte[] digest(StatementLimits limits, String algorithm, Object value) {
    byte[] bytes =
        value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) value;
    limits.workOnText(bytes.length);
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new NelumboException(ErrorCode.UNSUPPORTED, algorithm + " does not exist", e);
    }
  }

  private static String format(Object name) {
    String format = ((String) name).strip().toUpperCase(Locale.ROOT);
    if (!format.equals("HEX") && !format.equals("BASE64")) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER,
          "bytes are encoded as 'hex' or 'base64', not '" + format.toLowerCase(Locale.ROOT) + "'");
    }
    return format;
  }
}
