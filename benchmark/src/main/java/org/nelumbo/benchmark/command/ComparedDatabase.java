package org.nelumbo.benchmark.command;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.database.DriverFinder;
import org.nelumbo.benchmark.database.IsolationLevel;
import org.nelumbo.benchmark.peer.Peer;

/**
 * A database with one way to it, in a comparison.
 *
 * @param name for tables: the peer's, with the API if that is not JDBC
 * @param url where it is
 * @param api the way to it
 */
record ComparedDatabase(String name, DatabaseUrl url, String api) {
  /** All ways to a peer, its files in this folder. */
  static List<ComparedDatabase> of(Peer peer, String scratch) {
    DatabaseUrl url = new DatabaseUrl(peer.urlIn(scratch));
    List<ComparedDatabase> all = new ArrayList<>();
    for (String api : peer.apis()) {
      all.add(
          new ComparedDatabase(
              api.equals("jdbc") ? peer.name() : peer.name() + " " + api, url, api));
    }
    return all;
  }

  /**
   * Connects once.
   *
   * @throws SQLException if that is not possible, with a message that says what to do
   */
  static void reach(Peer peer, String scratch) throws SQLException {
    DatabaseUrl url = new DatabaseUrl(peer.urlIn(scratch)).fresh("reach");
    DriverFinder drivers = new DriverFinder(List.of());
    Database.open(url, drivers, new Properties(), IsolationLevel.SERIALIZABLE).close();
  }
}
