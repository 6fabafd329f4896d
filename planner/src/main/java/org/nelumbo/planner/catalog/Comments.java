package org.nelumbo.planner.catalog;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The texts of COMMENT ON for an object and its parts. Immutable.
 *
 * @param texts by what {@link Part} they belong to and its name
 */
public record Comments(Map<String, String> texts) {
  public static final Comments NONE = new Comments(Map.of());

  /** What a text can belong to. */
  public enum Part {
    /** The object itself; its name is empty. */
    OBJECT,
    COLUMN,
    INDEX,
    CONSTRAINT;

    private String key(String name) {
      return name() + " " + name;
    }
  }

  public Comments {
    texts = Collections.unmodifiableMap(new TreeMap<>(texts)); // written in one order
  }

  /** The text for the object itself; null if there is none. */
  public String ofObject() {
    return of(Part.OBJECT, "");
  }

  /** The text for a part; null if there is none. */
  public String of(Part part, String name) {
    return texts.get(part.key(name));
  }

  /** With another text for a part; null takes it away. */
  public Comments with(Part part, String name, String text) {
    Map<String, String> changed = new TreeMap<>(texts);
    if (text == null) {
      changed.remove(part.key(name));
    } else {
      changed.put(part.key(name), text);
    }
    return new Comments(changed);
  }

  /** With the text of a part under another name. */
  public Comments renamed(Part part, String name, String newName) {
    return with(part, newName, of(part, name)).with(part, name, null);
  }
}
