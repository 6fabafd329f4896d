package org.nelumbo.benchmark.peer;

import java.util.List;

/**
 * A database to compare with.
 *
 * @param name one lower-case word
 * @param url JDBC URL; <code>${scratch}</code> stands for a directory that is deleted afterwards
 * @param apis interfaces to the engine: {@code jdbc}, {@code native}
 * @param driver Maven artifact of the driver, {@code group:artifact:version}; empty if the driver
 *     is on the class path
 * @param server true if it is a server, which must be running
 */
public record Peer(String name, String url, List<String> apis, String driver, boolean server) {
  /** Returns this peer at another URL. */
  public Peer at(String otherUrl) {
    return new Peer(name, otherUrl, apis, driver, server);
  }

  /** Returns the URL with its files in this directory. */
  public String urlIn(String scratch) {
    return url.replace("${scratch}", scratch);
  }
}
