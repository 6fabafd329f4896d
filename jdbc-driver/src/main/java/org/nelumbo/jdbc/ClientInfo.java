package org.nelumbo.jdbc;

import java.util.List;
import java.util.Properties;

/** The client info properties of a connection. */
final class ClientInfo {
  static final List<String> NAMES = List.of("ApplicationName", "ClientHostname", "ClientUser");

  private final Properties values = new Properties();

  /**
   * Sets a property, or removes it if {@code value} is null.
   *
   * @return false if there is no such property
   */
  boolean set(String name, String value) {
    if (name == null || !NAMES.contains(name)) {
      return false;
    }
    if (value == null) {
      values.remove(name);
    } else {
      values.setProperty(name, value);
    }
    return true;
  }

  String get(String name) {
    return name == null ? null : values.getProperty(name);
  }

  Properties copy() {
    Properties copy = new Properties();
    copy.putAll(values);
    return copy;
  }
}
