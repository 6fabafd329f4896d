package org.nelumbo.executor.expr;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.ColumnType;

/** Functions that turn bytes into text, and back. */
public final class BinaryFunctions {
  /** Characters of a line of BASE64, as in PostgreSQL and in MIME. */
  private static final int LINE = 76;

  private static final byte[] NEW_LINE = {'\n'};

  private BinaryFunctions() {}

  /** ENCODE: bytes as text in a format, 'hex' or 'base64'. */
  public static Expression encode(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "ENCODE",
        type,
        (limits, values) -> {
          byte[] bytes = (byte[]) values[0];
          limits.workOnText(bytes.length);
          return switch (format(values[1])) {
            case "HEX" -> HexFormat.of().formatHex(bytes);
            default -> Base64.getMimeEncoder(LINE, NEW_LINE).encodeToString(bytes);
          };
        },
        operands);
  }

  /** DECODE: the bytes that a text in a format, 'hex' or 'base64', stands for. */
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
