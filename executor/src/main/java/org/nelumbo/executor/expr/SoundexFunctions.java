package org.nelumbo.executor.expr;

import java.util.List;
import java.util.Locale;
import org.nelumbo.types.ColumnType;

/**
 * Creates SOUNDEX and DIFFERENCE: phonetic codes of English names, by the rules of the US census.
 */
public final class SoundexFunctions {
  private static final int LENGTH = 4;

  /**
   * Digit of each letter from A: 0 for vowels, a dot for H and W, which do not separate equal
   * digits.
   */
  private static final String DIGITS = "0123012.02245501262301.202";

  private SoundexFunctions() {}

  /**
   * Creates SOUNDEX: a letter and three digits; the empty text if the argument has no English
   * letter.
   */
  public static Expression code(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "SOUNDEX",
        type,
        (limits, values) -> {
          limits.workOnText(((String) values[0]).length());
          return code((String) values[0]);
        },
        texts(operands));
  }

  /** Creates DIFFERENCE: the number of equal characters of two codes, from 0 to 4. */
  public static Expression likeness(ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        "DIFFERENCE",
        type,
        (limits, values) -> {
          String left = (String) values[0];
          String right = (String) values[1];
          limits.workOnText(left.length() + (long) right.length());
          return likeness(code(left), code(right));
        },
        texts(operands));
  }

  private static List<Expression> texts(List<Expression> operands) {
    return operands.stream().map(each -> TextFunctions.text(each)).toList();
  }

  private static long likeness(String left, String right) {
    long same = 0;
    for (int i = 0; i < LENGTH && i < left.length() && i < right.length(); i++) {
      same += left.charAt(i) == right.charAt(i) ? 1 : 0;
    }
    return same;
  }

  private static String code(String text) {
    StringBuilder code = new StringBuilder(LENGTH);
    char last = '0';
    String upper = text.toUpperCase(Locale.ROOT);
    for (int i = 0; i < upper.length() && code.length() < LENGTH; i++) {
      char letter = upper.charAt(i);
      if (letter < 'A' || letter > 'Z') {
        continue;
      }
      char digit = DIGITS.charAt(letter - 'A');
      if (code.isEmpty()) {
        code.append(letter);
        last = digit;
      } else if (digit != '.') {
        if (digit != '0' && digit != last) {
          code.append(digit);
        }
        last = digit;
      }
    }
    return code.isEmpty() ? "" : code + "0".repeat(LENGTH - code.length());
  }
}
