package org.nelumbo.benchmark.micro;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.nelumbo.benchmark.footprint.HeapAccount;
import org.nelumbo.cli.ExitStatus;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code nelumbo bench memory}. It loads tables of several sizes and divides the pool
 * by the number of rows. Then it measures, through JDBC, the memory of rows and connections in
 * Nelumbo and in other databases in the process.
 */
@Command(name = "memory", mixinStandardHelpOptions = true)
final class MemoryCommand implements Callable<Integer> {
  private static final int SMALLEST_ROW = 12;
  private static final int LARGEST_ROW = 1 << 15;
  private static final int BESIDE_ROWS = 100_000;
  private static final int RESIDENT_ROWS = 1_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "N",
      defaultValue = "10000,1000000",
      description =
          "Numbers of rows of the tables, separated by commas (default: ${DEFAULT-VALUE}).")
  private List<Integer> rows;

  @Option(
      names = "--row-bytes",
      paramLabel = "N",
      defaultValue = "100",
      description = "Size of a row in bytes, including the key (default: ${DEFAULT-VALUE}).")
  private int rowBytes;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "200",
      description = "Connections to open on each --url (default: ${DEFAULT-VALUE}); 0: none.")
  private int connections;

  @Option(
      names = "--url",
      paramLabel = "URL",
      split = ",",
      defaultValue = "jdbc:nelumbo:mem:memory,jdbc:h2:mem:memory,jdbc:hsqldb:mem:memory",
      description =
          "Empty databases in the process, separated by commas (default: ${DEFAULT-VALUE}).")
  private List<String> urls;

  @Override
  public Integer call() throws InterruptedException {
    boolean rowsFit = rows.stream().allMatch(count -> count > 0);
    if (!rowsFit || connections < 0 || rowBytes < SMALLEST_ROW || rowBytes > LARGEST_ROW) {
      throw new ParameterException(
          spec.commandLine(),
          "--rows must be positive, --connections not negative, --row-bytes between "
              + SMALLEST_ROW
              + " and "
              + LARGEST_ROW);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("bytes of pool memory per row, for rows of " + rowBytes + " bytes");
    for (int count : rows) {
      out.println(measure(count));
      out.flush();
    }
    return connections == 0 ? ExitStatus.DONE : beside(out);
  }

  private int beside(PrintWriter out) throws InterruptedException {
    out.println(
        "bytes of a row and of an open connection, through JDBC; KB of a process with "
            + RESIDENT_ROWS
            + " rows");
    int status = ExitStatus.DONE;
    for (String url : urls) {
      try {
        String line = HeapAccount.of(url, BESIDE_ROWS, rowBytes, connections);
        out.println("FOOTPRINT url=" + url + " row_bytes=" + rowBytes + " " + line);
        String resident = HeapAccount.resident(url, RESIDENT_ROWS, rowBytes);
        out.println("RESIDENT url=" + url + " rows=" + RESIDENT_ROWS + " " + resident);
      } catch (IOException | SQLException e) {
        spec.commandLine().getErr().println("error: " + url + ": " + e.getMessage());
        status = ExitStatus.FAILED;
      }
      out.flush();
    }
    return status;
  }

  /**
   * Returns one line: all chunks taken, then their content. The rest is free space in chunks, and
   * logs.
   */
  private String measure(int count) {
    try (LoadedRows table = LoadedRows.load(rowBytes, count)) {
      Channel channel = table.coordinator.channel();
      double total = (double) table.engine.takenBytes() / count;
      int cvt = table.table.cvtBytes();
      int record = SizeClass.bytes(table.table.blockClass(rowBytes)) - cvt;
      double hash = (double) table.table.hash().statistics(channel).bytes() / count;
      double tree = (double) table.table.primary().tree().statistics(channel).bytes() / count;
      return String.format(
          Locale.ROOT,
          "MEMORY rows=%d row_bytes=%d pool_bytes_per_row=%.1f record=%d cvt=%d hash_index=%.1f"
              + " ordered_index=%.1f rest=%.1f",
          count,
          rowBytes,
          total,
          record,
          cvt,
          hash,
          tree,
          total - record - cvt - hash - tree);
    }
  }
}
