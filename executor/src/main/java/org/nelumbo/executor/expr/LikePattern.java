package org.nelumbo.executor.expr;

import java.util.Arrays;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/**
 * A LIKE pattern: {@code %} is any text, {@code _} any one character (code point), the escape
 * character makes the next one literal. Immutable.
 */
public final class LikePattern {
  private static final int ANY_ONE = -1;
  private static final int ANY_TEXT = -2;

  private final int[] elements;

  private LikePattern(int[] elements) {
    this.elements = elements;
  }

  /**
   * Compiles a pattern.
   *
   * @param escape one character, or null for none
   * @throws NelumboException BAD_ESCAPE
   */
  public static LikePattern compile(String pattern, String escape) {
    if (escape != null && escape.codePointCount(0, escape.length()) != 1) {
      throw new NelumboException(
          ErrorCode.BAD_ESCAPE, "the ESCAPE of LIKE must be one character escape='" + escape + "'");
    }
    int escapePoint = escape == null ? -1 : escape.codePointAt(0);
    int[] points = pattern.codePoints().toArray();
    int[] elements = new int[points.length];
    int count = 0;
    for (int i = 0; i < points.length; i++) {
      int point = points[i];
      if (point == escapePoint) {
        i++;
        if (i == points.length) {
          throw new NelumboException(
              ErrorCode.BAD_ESCAPE, "pattern ends with the escape character pattern=" + pattern);
        }
        elements[count++] = points[i];
      } else if (point == '%') {
        elements[count++] = ANY_TEXT;
      } else {
        elements[count++] = point == '_' ? ANY_ONE : point;
      }
    }
    return new LikePattern(Arrays.copyOf(elements, count));
  }

  /** The text every match starts with: what an index can be searched for. */
  public String prefix() {
    StringBuilder prefix = new StringBuilder();
    for (int element : elements) {
      if (element < 0) {
        break;
      }
      prefix.appendCodePoint(element);
    }
    return prefix.toString();
  }

  /** Whether nothing is left to be checked once the prefix is known to match. */
  public boolean isPrefixOnly() {
    int last = elements.length - 1;
    return last >= 0
        && elements[last] == ANY_TEXT
        && prefix().codePointCount(0, prefix().length()) == last;
  }

  /** Matches greedily, going back only to the last {@code %}: linear for patterns in practice. */
  public boolean matches(String text) {
    int at = 0;
    int element = 0;
    int retryText = -1;
    int retryElement = -1;
    while (at < text.length()) {
      int wanted = element < elements.length ? elements[element] : 0;
      int point = text.codePointAt(at);
      if (element < elements.length && wanted == ANY_TEXT) {
        retryElement = ++element;
        retryText = at;
      } else if (element < elements.length && (wanted == ANY_ONE || wanted == point)) {
        element++;
        at += Character.charCount(point);
      } else if (retryElement >= 0) {
        retryText += Character.charCount(text.codePointAt(retryText));
        at = retryText;
        element = retryElement;
      } else {
        return false;
      }
    }
    while (element < elements.length && elements[element] == ANY_TEXT) {
      element++;
    }
    return element == elements.length;
  }
}
