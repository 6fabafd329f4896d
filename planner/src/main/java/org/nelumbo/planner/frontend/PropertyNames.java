package org.nelumbo.planner.frontend;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Names of session properties, including their names in other databases. */
public final class PropertyNames {
  public static final String ISOLATION = "transaction_isolation";
  public static final String READ_ONLY = "transaction_read_only";
  public static final String AUTO_COMMIT = "autocommit";
  public static final String SCHEMA = "search_path";
  public static final String LOCK_TIMEOUT = "lock_timeout";
  public static final String DURABILITY = "durability";
  public static final String STATEMENT_TIMEOUT = "statement_timeout";
  public static final String TIME_ZONE = "timezone";
  public static final String CLIENT_ENCODING = "client_encoding";
  public static final String SERVER_ENCODING = "server_encoding";
  public static final String STANDARD_STRINGS = "standard_conforming_strings";
  public static final String DATE_STYLE = "datestyle";
  public static final String INTEGER_DATETIMES = "integer_datetimes";
  public static final String MAX_IDENTIFIER_LENGTH = "max_identifier_length";
  public static final String SERVER_VERSION = "server_version";
  public static final String USER = "session_authorization";

  /** Properties that are stored but have no effect. */
  public static final List<String> KEPT =
      List.of(
          "application_name",
          "check_function_bodies",
          "client_min_messages",
          "default_table_access_method",
          "default_tablespace",
          "default_toast_compression",
          "extra_float_digits",
          "idle_in_transaction_session_timeout",
          "row_security",
          "synchronize_seqscans",
          "transaction_timeout",
          "xmloption");

  /** In the order of SHOW ALL. */
  private static final List<String[]> DESCRIPTIONS =
      List.of(
          new String[] {AUTO_COMMIT, "each statement is a transaction of its own"},
          new String[] {CLIENT_ENCODING, "always UTF8"},
          new String[] {DATE_STYLE, "how dates are written"},
          new String[] {DURABILITY, "a commit waits for the disk: commit; or not: interval, none"},
          new String[] {INTEGER_DATETIMES, "times are whole microseconds"},
          new String[] {LOCK_TIMEOUT, "longest wait for a lock; 0: no limit"},
          new String[] {MAX_IDENTIFIER_LENGTH, "most characters of a name"},
          new String[] {SCHEMA, "the schema of unqualified names"},
          new String[] {SERVER_ENCODING, "always UTF8"},
          new String[] {SERVER_VERSION, "the version of Nelumbo"},
          new String[] {USER, "user of the session"},
          new String[] {STANDARD_STRINGS, "a backslash in a string is an ordinary character"},
          new String[] {STATEMENT_TIMEOUT, "longest run of a statement; 0: no limit"},
          new String[] {TIME_ZONE, "of CURRENT_DATE, and of casts from moments"},
          new String[] {ISOLATION, "serializable or snapshot"},
          new String[] {READ_ONLY, "transactions may not change anything"});

  private static final Map<String, String> BY_NAME = new HashMap<>();

  static {
    for (String[] each : DESCRIPTIONS) {
      BY_NAME.put(normal(each[0]), each[0]);
    }
    KEPT.forEach(name -> BY_NAME.put(normal(name), name));
    Map.of(
            "isolation", ISOLATION,
            "default_transaction_isolation", ISOLATION,
            "default_transaction_read_only", READ_ONLY,
            "read_only", READ_ONLY,
            "schema", SCHEMA,
            "current_schema", SCHEMA,
            "query_timeout", STATEMENT_TIMEOUT,
            "time_zone", TIME_ZONE,
            "user", USER)
        .forEach((other, name) -> BY_NAME.put(normal(other), name));
  }

  private PropertyNames() {}

  private static String normal(String name) {
    return name.replace("_", "").toUpperCase(Locale.ROOT);
  }

  /** Returns the canonical name of a property in any spelling, or the argument if it is unknown. */
  public static String known(String name) {
    return BY_NAME.getOrDefault(normal(name), name);
  }

  /** Returns true if a property with this name exists. */
  static boolean isKnown(String name) {
    return BY_NAME.containsKey(normal(name));
  }

  /** Returns all names and their descriptions. */
  static List<String[]> descriptions() {
    return DESCRIPTIONS;
  }
}
