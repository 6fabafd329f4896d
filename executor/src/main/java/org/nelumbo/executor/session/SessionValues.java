package org.nelumbo.executor.session;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** The values of a session that expressions read. One thread at a time. */
public final class SessionValues {
  private final long number;
  private final UnaryOperator<String> properties;
  private final BiConsumer<String, String> changes;
  private ZoneId zone = ZoneOffset.UTC;

  /** By sequence, which is forgotten when it has been dropped. */
  private Map<Object, Drawn> drawn;

  private Drawn last;

  /** The number last drawn of a sequence. */
  private static final class Drawn {
    private long number;
  }

  /** Of a session without properties. */
  public SessionValues() {
    this(0, name -> null, (name, value) -> {});
  }

  /**
   * Of a session.
   *
   * @param number what {@code SYS.TRANSACTIONS} calls it
   * @param properties gives the value of a property, null if there is none of that name
   * @param changes gives a property another value
   */
  public SessionValues(
      long number, UnaryOperator<String> properties, BiConsumer<String, String> changes) {
    this.number = number;
    this.properties = properties;
    this.changes = changes;
  }

  /** The number of the session, from 1 on; 0 if it has none. */
  public long number() {
    return number;
  }

  /** The time zone of CURRENT_DATE and the like. */
  public ZoneId zone() {
    return zone;
  }

  public void setZone(ZoneId newZone) {
    zone = newZone;
  }

  /** The value of a property; null if there is none of that name. */
  public String property(String name) {
    return properties.apply(name);
  }

  /** Gives a property another value. */
  public void setProperty(String name, String value) {
    changes.accept(name, value);
  }

  /** Notes that a number was drawn. */
  public void drew(Object sequence, long number) {
    if (drawn == null) {
      drawn = new WeakHashMap<>();
    }
    Drawn known = drawn.get(sequence);
    if (known == null) {
      known = new Drawn();
      drawn.put(sequence, known);
    }
    known.number = number;
    last = known;
  }

  /**
   * The number last drawn of a sequence; 55000 if none was.
   *
   * @param name the sequence in messages
   */
  public long current(Object sequence, Object name) {
    Drawn known = drawn == null ? null : drawn.get(sequence);
    if (known == null) {
      throw new NelumboException(
          ErrorCode.NOT_YET_DRAWN,
          "CURRVAL of sequence " + name + " is not known: this session has not called NEXTVAL");
    }
    return known.number;
  }

  /** The number last drawn of any sequence or identity column; 55000 if none was. */
  public long last() {
    if (last == null) {
      throw new NelumboException(
          ErrorCode.NOT_YET_DRAWN,
          "LASTVAL is not known: this session has drawn no number of a sequence");
    }
    return last.number;
  }
}
