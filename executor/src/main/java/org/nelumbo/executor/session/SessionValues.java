package org.nelumbo.executor.session;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** The values of a session that expressions read. Used by one thread at a time. */
public final class SessionValues {
  private final long number;
  private final UnaryOperator<String> properties;
  private final BiConsumer<String, String> changes;
  private ZoneId zone = ZoneOffset.UTC;

  /** Last number by sequence; entries of dropped sequences are garbage-collected. */
  private Map<Object, Drawn> drawn;

  private Drawn last;

  private static final class Drawn {
    private long number;
  }

  /** Creates the values of a session without properties. */
  public SessionValues() {
    this(0, name -> null, (name, value) -> {});
  }

  /**
   * Creates the values of a session.
   *
   * @param number number of the session in {@code SYS.TRANSACTIONS}
   * @param properties returns the value of a property, or null if it does not exist
   * @param changes sets the value of a property
   */
  public SessionValues(
      long number, UnaryOperator<String> properties, BiConsumer<String, String> changes) {
    this.number = number;
    this.properties = properties;
    this.changes = changes;
  }

  /** Returns the number of the session, counted from 1, or 0 if it has none. */
  public long number() {
    return number;
  }

  /** Returns the time zone of CURRENT_DATE and similar functions. */
  public ZoneId zone() {
    return zone;
  }

  public void setZone(ZoneId newZone) {
    zone = newZone;
  }

  /** Returns the value of a property, or null if it does not exist. */
  public String property(String name) {
    return properties.apply(name);
  }

  /** Sets the value of a property. */
  public void setProperty(String name, String value) {
    changes.accept(name, value);
  }

  /** Records a number drawn from a sequence. */
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
   * Returns the last number drawn from a sequence; fails with 55000 if there is none.
   *
   * @param name name of the sequence, for messages
   */
  public long current(Object sequence, Object name) {
    Drawn known = drawn == null ? null : drawn.get(sequence);
    if (known == null) {
      throw new NelumboException(
          ErrorCode.NOT_YET_DRAWN,
          "CURRVAL of sequence " + name + " is undefined: this session has not called NEXTVAL");
    }
    return known.number;
  }

  /**
   * Returns the last number drawn from any sequence or identity column; fails with 55000 if there
   * is none.
   */
  public long last() {
    if (last == null) {
      throw new NelumboException(
          ErrorCode.NOT_YET_DRAWN,
          "LASTVAL is undefined: this session has drawn no number from a sequence");
    }
    return last.number;
  }
}
