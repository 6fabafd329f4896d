package org.nelumbo.jdbc.metadata;

import java.util.List;
import java.util.Properties;

/** The client info properties of a connection. */
public final class ClientInfo {
  public static final List<String> NAMES =
      List.of("ApplicationName", "ClientHostname", "ClientUser");

  private final Properties values = new Properties();

  /**
   * Sets a property, or removes it if {@code value} is null.
   *
   * @return false if the property does not exist
   */
  public boolean set(String name, String value) {
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

  public String get(String name) {
    return name == null ? null : values.getProperty(name);
  }

  public Properties copy() {
    Properties copy = new Properties();
    copy.putAll(values);
    return copy;
  }
}
