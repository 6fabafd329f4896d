package org.nelumbo.dm.fabric.tcp;

/** Host and port at which a memory node listens. */
public record NodeAddress(String host, int port) {
  /** Port of an address that names none. */
  public static final int DEFAULT_PORT = 7420;

  private static final int PORT_MAX = 65_535;

  /**
   * Parses {@code HOST[:PORT]}, or {@code [IPV6][:PORT]}.
   *
   * @throws IllegalArgumentException if the text has another form; the message describes it
   */
  public static NodeAddress parse(String text) {
    int bracket = text.lastIndexOf(']');
    int colon = text.indexOf(':', Math.max(0, bracket));
    String host = colon < 0 ? text : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    String port = colon < 0 ? Integer.toString(DEFAULT_PORT) : text.substring(colon + 1);
    boolean isPort = port.matches("\\d{1,5}") && Integer.parseInt(port) <= PORT_MAX;
    if (host.isEmpty() || !isPort) {
      throw new IllegalArgumentException(
          "'" + text + "' is not the address of a memory node; write HOST:PORT");
    }
    return new NodeAddress(host, Integer.parseInt(port));
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
