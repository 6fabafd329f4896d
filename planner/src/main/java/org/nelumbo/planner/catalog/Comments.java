package org.nelumbo.planner.catalog;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The texts of COMMENT ON for an object and its parts. Immutable.
 *
 * @param texts the texts, by {@link Part} and name
 */
public record Comments(Map<String, String> texts) {
  public static final Comments NONE = new Comments(Map.of());

  /** Parts of an object that can have a comment. */
  public enum Part {
    /** The object itself, with an empty name. */
    OBJECT,
    COLUMN,
    INDEX,
    CONSTRAINT;

    private String key(String name) {
      return name() + " " + name;
    }
  }

  public Comments {
    texts = Collections.unmodifiableMap(new TreeMap<>(texts)); // makes the encoding deterministic
  }

  /** Returns the comment of the object itself, or null if it has none. */
  public String ofObject() {
    return of(Part.OBJECT, "");
  }

  /** Returns the comment of a part, or null if it has none. */
  public String of(Part part, String name) {
    return texts.get(part.key(name));
  }

  /** Returns these comments with another text for a part; null removes its text. */
  public Comments with(Part part, String name, String text) {
    Map<String, String> changed = new TreeMap<>(texts);
    if (text == null) {
      changed.remove(part.key(name));
    } else {
      changed.put(part.key(name), text);
    }
    return new Comments(changed);
  }

  /** Returns these comments after a part has been renamed. */
  public Comments renamed(Part part, String name, String newName) {
    return with(part, newName, of(part, name)).with(part, name, null);
  }
}
