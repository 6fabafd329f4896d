package org.nelumbo.benchmark.footprint;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Measures the memory of rows and connections of a database in the process, through JDBC. */
public final class HeapAccount {
  /**
   * Options that keep the numbers stable. The whole heap is touched at the start, so that its
   * growth is not counted as other memory. A thread's allocation buffer counts as used; it is kept
   * small, because otherwise megabytes of it would appear and disappear between two measurements.
   */
  private static final List<String> OPTIONS =
      List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:TLABSize=8k", "-XX:-ResizeTLAB");

  private HeapAccount() {}

  /**
   * Returns one line with the bytes per row and per connection, in the heap and outside.
   *
   * @param rows number of rows to load
   * @param rowBytes size of a row
   * @param connections number of connections to open, in addition to the necessary ones
   */
  public static String of(String url, int rows, int rowBytes, int connections)
      throws IOException, SQLException, InterruptedException {
    List<String> arguments =
        List.of(
            url, Integer.toString(rows), Integer.toString(rowBytes), Integer.toString(connections));
    return new Probe(OPTIONS, ProbePath.of(url), HeapProbe.class, arguments).run().line();
  }

  /**
   * Returns one line with the resident memory of a process with default options that has loaded and
   * read rows.
   */
  public static String resident(String url, int rows, int rowBytes)
      throws IOException, SQLException, InterruptedException {
    List<String> arguments = List.of(url, Integer.toString(rows), Integer.toString(rowBytes));
    return new Probe(List.of(), ProbePath.of(url), ResidentProbe.class, arguments).run().line();
  }
}
