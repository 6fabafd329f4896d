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
 * A database in a comparison, accessed by one API.
 *
 * @param name name for tables: the name of the peer, with the API if it is not JDBC
 * @param url its location
 * @param api {@code jdbc} or {@code native}
 */
record ComparedDatabase(String name, DatabaseUrl url, String api) {
  /** Returns one entry for each API of a peer whose files are in this directory. */
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
   * @throws SQLException if this is not possible, with a message that says what to do
   */
  static void reach(Peer peer, String scratch) throws SQLException {
    DatabaseUrl url = new DatabaseUrl(peer.urlIn(scratch)).fresh("reach");
    DriverFinder drivers = new DriverFinder(List.of());
    Database.open(url, drivers, new Properties(), IsolationLevel.SERIALIZABLE).close();
  }
}
