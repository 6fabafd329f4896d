package org.nelumbo.database.session;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.database.plancache.SessionPlanCache;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.session.SessionValues;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.frontend.PropertyNames;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.SessionOptions;

/**
 * The properties of a session by name, which SHOW and CURRENT_SETTING read, and SET and RESET
 * change. Used by one thread at a time.
 */
final class SessionProperties {
  private static final Pattern DURATION =
      Pattern.compile("(\\d+)\\s*(ms|s|min|h|)", Pattern.CASE_INSENSITIVE);

  private static final String VERSION =
      Objects.requireNonNullElse(
          SessionProperties.class.getPackage().getImplementationVersion(), "0");

  /** Duration of a wait without limit; also the longest duration. */
  private static final Duration ENDLESS = Duration.ofDays(36_500);

  private static final String NO_WAIT = "no wait";

  private static final Pattern HOURS = Pattern.compile("[+-]?\\d{1,2}");

  private final Map<String, Property> byName = new TreeMap<>();

  /** Values that are stored without effect. */
  private final Map<String, String> kept = new TreeMap<>();

  /**
   * A property.
   *
   * @param change accepts a new value
   * @param restore accepts a previous value
   * @param first the initial value
   */
  private record Property(
      Supplier<String> value, Consumer<String> change, Consumer<String> restore, String first) {}

  /**
   * Properties that SET LOCAL rejects, because they apply to transactions and not to statements.
   */
  private static final Set<String> OF_TRANSACTIONS =
      Set.of(PropertyNames.ISOLATION, PropertyNames.READ_ONLY, PropertyNames.AUTO_COMMIT);

  SessionProperties(
      long session,
      SessionOptions options,
      Catalog catalog,
      SessionTransaction transaction,
      SessionPlanCache plans,
      StatementRunner runner) {
    SessionValues values =
        new SessionValues(session, this::value, (name, value) -> set(name, List.of(value)));
    transaction.setSession(values);
    add(
        PropertyNames.ISOLATION,
        () -> isolation(transaction.isolation()),
        text -> transaction.setIsolation(isolation(text)));
    add(
        PropertyNames.READ_ONLY,
        () -> onOff(transaction.readOnly()),
        text -> transaction.setReadOnly(bool(text)));
    add(
        PropertyNames.AUTO_COMMIT,
        () -> onOff(transaction.autoCommit()),
        text -> transaction.setAutoCommit(bool(text)));
    byName.put(
        PropertyNames.SCHEMA,
        new Property(
            plans::schema,
            text -> plans.setSchema(schema(catalog, text)),
            name -> plans.setSchema(catalog.state().hasSchema(name) ? name : CatalogState.PUBLIC),
            plans.schema()));
    add(
        PropertyNames.LOCK_TIMEOUT,
        () -> lockTimeout(Duration.ofNanos(transaction.lockTimeoutNanos())),
        text -> transaction.setLockTimeout(lockTimeout(text)));
    add(
        PropertyNames.DURABILITY,
        () -> transaction.durability().name().toLowerCase(Locale.ROOT),
        text -> transaction.setDurability(durability(text)));
    add(
        PropertyNames.STATEMENT_TIMEOUT,
        () -> duration(runner.queryTimeout()),
        text -> runner.setQueryTimeout(duration(text)));
    add(
        PropertyNames.TIME_ZONE,
        () -> values.zone().equals(ZoneOffset.UTC) ? "UTC" : values.zone().getId(),
        text -> values.setZone(zone(text)));
    addFixed(PropertyNames.CLIENT_ENCODING, "UTF8", List.of("UTF8", "UTF-8", "UNICODE"));
    addFixed(PropertyNames.SERVER_ENCODING, "UTF8", List.of());
    addFixed(PropertyNames.SERVER_VERSION, VERSION, List.of());
    addFixed(PropertyNames.STANDARD_STRINGS, "on", List.of("ON", "TRUE", "1"));
    addFixed(PropertyNames.DATE_STYLE, "ISO, MDY", List.of("ISO", "ISO, MDY", "ISO, YMD"));
    addFixed(PropertyNames.INTEGER_DATETIMES, "on", List.of());
    addFixed(PropertyNames.MAX_IDENTIFIER_LENGTH, "128", List.of());
    addFixed(PropertyNames.USER, options.user(), List.of());
    for (String name : PropertyNames.KEPT) {
      kept.put(name, "");
      add(name, () -> kept.get(name), text -> kept.put(name, text));
    }
  }

  private void add(String name, Supplier<String> value, Consumer<String> change) {
    byName.put(name, new Property(value, change, change, value.get()));
  }

  /** Other accepted names of the value have no effect. */
  private void addFixed(String name, String value, List<String> accepted) {
    Consumer<String> change =
        text -> {
          if (!accepted.contains(text.toUpperCase(Locale.ROOT)) && !text.equals(value)) {
            throw new NelumboException(
                ErrorCode.UNSUPPORTED, name + " is " + value + " and cannot be changed");
          }
        };
    byName.put(name, new Property(() -> value, change, change, value));
  }

  /** Returns the value of a property, or null if it does not exist. */
  String value(String name) {
    Property property = byName.get(PropertyNames.known(name));
    return property == null ? null : property.value.get();
  }

  /** Sets a property, or resets it to its initial value if {@code values} is empty. */
  void set(String name, List<String> values) {
    if (values.isEmpty() && name.equals("ALL")) {
      byName.values().forEach(SessionProperties::reset);
      return;
    }
    Property property = byName.get(PropertyNames.known(name));
    if (property == null) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT,
          "there is no property " + name + " of a session; SHOW ALL lists them");
    }
    if (values.isEmpty()) {
      reset(property);
    } else {
      property.change.accept(String.join(", ", values));
    }
  }

  /** Sets a property for a transaction; returns an action to run at the end of the transaction. */
  Runnable setLocal(String name, List<String> values) {
    String known = PropertyNames.known(name);
    if (OF_TRANSACTIONS.contains(known)) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT,
          known + " cannot be set for the transaction in progress; use SET TRANSACTION before it");
    }
    Property property = byName.get(known);
    String before = property == null ? null : property.value.get();
    set(name, values);
    return () -> property.restore.accept(before);
  }

  private static void reset(Property property) {
    if (!property.value.get().equals(property.first)) {
      property.change.accept(property.first);
    }
  }

  private static NelumboException bad(String text, String wanted) {
    return new NelumboException(
        ErrorCode.BAD_PARAMETER, "'" + text + "' is not allowed here; write " + wanted);
  }

  private static String onOff(boolean value) {
    return value ? "on" : "off";
  }

  private static boolean bool(String text) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "ON", "TRUE", "YES", "1" -> true;
      case "OFF", "FALSE", "NO", "0" -> false;
      default -> throw bad(text, "ON or OFF");
    };
  }

  private static String isolation(Isolation level) {
    return level == Isolation.SERIALIZABLE ? "serializable" : "snapshot";
  }

  private static Isolation isolation(String text) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "SERIALIZABLE" -> Isolation.SERIALIZABLE;
      case "SNAPSHOT", "REPEATABLE READ", "READ COMMITTED", "READ UNCOMMITTED" ->
          Isolation.SNAPSHOT;
      default -> throw bad(text, "'serializable' or 'snapshot'");
    };
  }

  private static Durability durability(String text) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "COMMIT" -> Durability.COMMIT;
      case "INTERVAL" -> Durability.INTERVAL;
      case "NONE" -> Durability.NONE;
      default -> throw bad(text, "commit, interval or none");
    };
  }

  /** Returns the first existing schema of a list; names may be in PostgreSQL's form. */
  private static String schema(Catalog catalog, String text) {
    if (text.isBlank()) {
      return CatalogState.PUBLIC; // set by dumps, in which all names are qualified
    }
    for (String each : text.split(",", -1)) {
      String name = each.strip().replace("\"", "");
      if (catalog.state().hasSchema(name)) {
        return name;
      } else if (catalog.state().hasSchema(name.toUpperCase(Locale.ROOT))) {
        return name.toUpperCase(Locale.ROOT);
      }
    }
    catalog.state().checkSchema(text);
    throw bad(text, "the name of a schema");
  }

  private static String lockTimeout(Duration timeout) {
    return timeout.isZero() ? NO_WAIT : duration(timeout);
  }

  private static Duration lockTimeout(String text) {
    if (text.equalsIgnoreCase(NO_WAIT)) {
      return Duration.ZERO;
    }
    Duration wanted = duration(text);
    return wanted.isZero() ? ENDLESS : wanted;
  }

  private static String duration(Duration duration) {
    if (duration.isZero() || duration.equals(ENDLESS)) {
      return "0";
    }
    long millis = duration.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }

  private static Duration duration(String text) {
    Matcher parts = DURATION.matcher(text.strip());
    if (!parts.matches() || parts.group(1).length() > 12) {
      throw bad(text, "milliseconds, or a number with ms, s, min or h");
    }
    long number = Long.parseLong(parts.group(1));
    Duration duration =
        switch (parts.group(2).toLowerCase(Locale.ROOT)) {
          case "s" -> Duration.ofSeconds(number);
          case "min" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          default -> Duration.ofMillis(number);
        };
    if (duration.compareTo(ENDLESS) > 0) {
      throw bad(text, "at most " + ENDLESS.toDays() + " days, or 0 for no limit");
    }
    return duration;
  }

  private static ZoneId zone(String text) {
    try {
      if (HOURS.matcher(text).matches()) {
        return ZoneOffset.ofHours(Integer.parseInt(text));
      }
      return text.equalsIgnoreCase("UTC") || text.equalsIgnoreCase("GMT")
          ? ZoneOffset.UTC
          : ZoneId.of(text);
    } catch (DateTimeException e) {
      throw bad(text, "a zone like 'Europe/Berlin', '+02:00' or UTC");
    }
  }
}
