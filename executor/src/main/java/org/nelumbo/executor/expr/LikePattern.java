package org.nelumbo.executor.expr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;

/**
 * A LIKE pattern: {@code %} matches any text, {@code _} any single character (code point); the
 * escape character makes the next one literal. The pieces between two {@code %} are searched for
 * from left to right, which takes time linear in the text unless a piece contains {@code _}.
 * Immutable.
 */
public final class LikePattern {
  private static final int ANY_ONE = -1;
  private static final int ANY_TEXT = -2;

  private final int[] elements;

  /** Pieces between the {@code %}; a single piece if there is none. */
  private final Piece[] pieces;

  /**
   * A part of a pattern without {@code %}.
   *
   * @param text text that it matches; null if it contains {@code _}
   * @param search search for that text; null if it contains {@code _}
   */
  @SuppressWarnings("ArrayRecordComponent") // records are never compared
  private record Piece(int[] elements, String text, TextSearch search) {
    static Piece of(int[] elements) {
      if (Arrays.stream(elements).anyMatch(element -> element == ANY_ONE)) {
        return new Piece(elements, null, null);
      }
      String text = new String(elements, 0, elements.length);
      return new Piece(elements, text, new TextSearch(text));
    }
  }

  private LikePattern(int[] elements) {
    this.elements = elements;
    List<Piece> found = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= elements.length; i++) {
      if (i == elements.length || elements[i] == ANY_TEXT) {
        boolean isEmptyInside = i == start && !found.isEmpty() && i < elements.length;
        if (!isEmptyInside) {
          found.add(Piece.of(Arrays.copyOfRange(elements, start, i)));
        }
        start = i + 1;
      }
    }
    this.pieces = found.toArray(Piece[]::new);
  }

  /**
   * Returns the code point of the escape character, or -1 if there is none; fails with BAD_ESCAPE
   * if it is not one character.
   */
  static int escapePoint(String escapeOrNull) {
    if (escapeOrNull == null) {
      return -1;
    }
    if (escapeOrNull.codePointCount(0, escapeOrNull.length()) != 1) {
      throw new NelumboException(
          ErrorCode.BAD_ESCAPE, "ESCAPE must be one character escape='" + escapeOrNull + "'");
    }
    return escapeOrNull.codePointAt(0);
  }

  /**
   * Compiles a pattern.
   *
   * @param escape one character, or null for none
   * @throws NelumboException BAD_ESCAPE if the escape is not one character, or is the last
   *     character of the pattern
   */
  public static LikePattern compile(String pattern, String escape) {
    int escapePoint = escapePoint(escape);
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

  /** Returns the text that every match starts with, for which an index can be searched. */
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

  /** Returns true if every text with the prefix matches. */
  boolean isPrefixOnly() {
    int last = elements.length - 1;
    return last >= 0
        && elements[last] == ANY_TEXT
        && prefix().codePointCount(0, prefix().length()) == last;
  }

  /** Returns true if a text matches. The limits permit cancellation of a long search. */
  public boolean matches(String text, StatementLimits limits) {
    limits.work(1);
    int at = matchHere(pieces[0], text, 0, text.length(), limits);
    if (at < 0 || pieces.length == 1) {
      return at == text.length();
    }
    for (int i = 1; i < pieces.length - 1; i++) {
      at = findPiece(pieces[i], text, at, limits);
      if (at < 0) {
        return false;
      }
    }
    Piece last = pieces[pieces.length - 1];
    int start = startOfLast(last, text, at);
    return start >= 0 && matchHere(last, text, start, text.length(), limits) == text.length();
  }

  private static int matchHere(Piece piece, String text, int from, int to, StatementLimits limits) {
    if (piece.search != null) {
      boolean same = text.startsWith(piece.text, from) && from + piece.text.length() <= to;
      return same ? from + piece.text.length() : -1;
    }
    int at = from;
    for (int element : piece.elements) {
      if (at >= to) {
        return -1;
      }
      int point = text.codePointAt(at);
      if (element != ANY_ONE && element != point) {
        return -1;
      }
      at += Character.charCount(point);
    }
    limits.work(0);
    return at;
  }

  private static int findPiece(Piece piece, String text, int from, StatementLimits limits) {
    if (piece.search != null) {
      int found = piece.search.find(text, from, text.length(), limits);
      return found < 0 ? -1 : found + piece.text.length();
    }
    for (int at = from; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      limits.workOnText(piece.elements.length);
      int end = matchHere(piece, text, at, text.length(), limits);
      if (end >= 0) {
        return end;
      }
    }
    return -1;
  }

  private static int startOfLast(Piece last, String text, int from) {
    int at = text.length();
    for (int i = 0; i < last.elements.length; i++) {
      if (at <= from) {
        return -1;
      }
      at -= Character.charCount(text.codePointBefore(at));
    }
    return at < from ? -1 : at;
  }
}
