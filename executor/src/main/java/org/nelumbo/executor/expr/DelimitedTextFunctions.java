package org.nelumbo.executor.expr;

import java.util.List;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Creates MySQL's functions of texts that are lists with separators. */
public final class DelimitedTextFunctions {
  private DelimitedTextFunctions() {}

  /**
   * Creates FIND_IN_SET: the position of a text in a comma-separated list, counted from 1; 0 if it
   * is absent.
   */
  public static Expression find(ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        "FIND_IN_SET",
        type,
        (limits, values) -> find(limits, (String) values[0], (String) values[1]),
        operands.stream().map(each -> TextFunctions.text(each)).toList());
  }

  private static long find(StatementLimits limits, String wanted, String list) {
    limits.workOnText(list.length());
    if (list.isEmpty()) {
      return 0;
    }
    int index = 1;
    int start = 0;
    while (true) {
      int comma = list.indexOf(',', start);
      int end = comma < 0 ? list.length() : comma;
      if (end - start == wanted.length() && list.startsWith(wanted, start)) {
        return index;
      } else if (comma < 0) {
        return 0;
      }
      index++;
      start = comma + 1;
    }
  }

  /**
   * Creates SUBSTRING_INDEX: the text before the given number of separators; for a negative number,
   * the text after the separators counted from the end.
   */
  public static Expression before(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "SUBSTRING_INDEX",
        type,
        (limits, values) ->
            before(limits, (String) values[0], (String) values[1], (Long) values[2]),
        List.of(
            TextFunctions.text(operands.get(0)),
            TextFunctions.text(operands.get(1)),
            Casts.cast(ColumnType.of(Kind.BIGINT), operands.get(2))));
  }

  private static String before(StatementLimits limits, String text, String by, long count) {
    limits.workOnText(text.length());
    if (by.isEmpty() || count == 0) {
      return "";
    }
    if (count > 0) {
      int at = -by.length();
      for (long i = 0; i < count; i++) {
        at = text.indexOf(by, at + by.length());
        if (at < 0) {
          return text;
        }
      }
      return text.substring(0, at);
    }
    int at = text.length();
    for (long i = 0; i > count; i--) {
      at = text.lastIndexOf(by, at - by.length());
      if (at < 0) {
        return text;
      }
    }
    return text.substring(at + by.length());
  }
}
