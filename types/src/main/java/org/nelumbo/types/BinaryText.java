package org.nelumbo.types;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.nelumbo.error.NelumboException;

/** The text form of binary strings. */
public final class BinaryText {
  private BinaryText() {}

  /**
   * Returns the bytes that a text denotes. A text that starts with {@code \\x} holds hexadecimal
   * digits, as PostgreSQL writes bytes; any other text is encoded in UTF-8.
   *
   * @param target type named in the error message
   * @throws NelumboException BAD_CAST if the characters after {@code \\x} are not pairs of
   *     hexadecimal digits
   */
  public static byte[] parse(ColumnType target, String text) {
    if (!text.startsWith("\\x")) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return HexFormat.of().parseHex(text, 2, text.length());
    } catch (IllegalArgumentException _) {
      throw target.cannotCast(text);
    }
  }
}
