package org.nelumbo.benchmark.footprint;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Memory of rows and connections of a database in the process, through JDBC. */
public final class HeapAccount {
  /**
   * The heap is touched as a whole at the start, so that its growth is not taken for other. What a
   * thread has for its next objects counts as used: it is kept small, or megabytes of it come and
   * go between two looks.
   */
  private static final List<String> OPTIONS =
      List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:TLABSize=8k", "-XX:-ResizeTLAB");

  private HeapAccount() {}

  /**
   * One line of bytes for each row and each connection, heap and other memory.
   *
   * @param rows to load, of so many bytes each
   * @param connections to open beside those that are needed anyway
   */
  public static String of(String url, int rows, int rowBytes, int connections)
      throws IOException, SQLException, InterruptedException {
    List<String> arguments =
        List.of(
            url, Integer.toString(rows), Integer.toString(rowBytes), Integer.toString(connections));
    return new Probe(OPTIONS, ProbePath.of(url), HeapProbe.class, arguments).run().line();
  }
}
