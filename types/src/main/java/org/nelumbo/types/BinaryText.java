package org.nelumbo.types;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.nelumbo.error.NelumboException;

/** Bytes that are written as text. */
public final class BinaryText {
  private BinaryText() {}

  /**
   * The bytes that a text stands for: hexadecimal digits behind {@code \\x}, as PostgreSQL writes
   * bytes; any other text in UTF-8.
   *
   * @throws NelumboException BAD_CAST if there is something else behind {@code \\x}
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
