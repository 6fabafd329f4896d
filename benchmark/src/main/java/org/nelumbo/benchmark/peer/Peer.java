package org.nelumbo.benchmark.peer;

import java.util.List;

/**
 * A database to compare with.
 *
 * @param name one lower-case word
 * @param url JDBC URL; <code>${scratch}</code> stands for a folder that is deleted afterwards
 * @param apis ways to the engine: {@code jdbc}, {@code native}
 * @param driver Maven artifact of the driver, {@code group:artifact:version}; empty if the driver
 *     is on the class path
 * @param server whether it must have been started by somebody
 */
public record Peer(String name, String url, List<String> apis, String driver, boolean server) {
  /** This peer at another URL. */
  public Peer at(String otherUrl) {
    return new Peer(name, otherUrl, apis, driver, server);
  }

  /** The URL with its files in this folder. */
  public String urlIn(String scratch) {
    return url.replace("${scratch}", scratch);
  }
}
