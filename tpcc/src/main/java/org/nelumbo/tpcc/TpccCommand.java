package org.nelumbo.tpcc;

import org.nelumbo.benchmark.command.BenchmarkCommand;
import org.nelumbo.tpcc.data.Population;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code nelumbo bench tpcc}. */
@Command(name = "tpcc", mixinStandardHelpOptions = true, sortOptions = false)
final class TpccCommand extends BenchmarkCommand {
  @Option(
      names = {"--warehouses", "--scale"},
      paramLabel = "N",
      defaultValue = "1",
      description = "Warehouses to load; about 100 MB each (default: ${DEFAULT-VALUE}).")
  private int warehouses;

  @Option(
      names = "--keying-think",
      description = "Simulate the keying and think times of the specification.")
  private boolean keyingThink;

  @Option(
      names = "--foreign-keys",
      description =
          "Declare the foreign keys (default: no; the specification does not require them).")
  private boolean foreignKeys;

  @Option(
      names = "--compact",
      description =
          "Load a tenth of the customers and a hundredth of the items. For a quick trial only: the"
              + " results are not meaningful.")
  private boolean compact;

  @Option(
      names = "--compat",
      description =
          "The reduced variant of the prototypes: 300 customers per district, 10,000 items, no"
              + " lookups by name, no rollbacks, any orders. Not comparable with full TPC-C.")
  private boolean compat;

  @Option(
      names = "--order-lines",
      paramLabel = "single|together|auto",
      defaultValue = "auto",
      description =
          "How New-Order reads items and stock: line by line, with one statement for all items and"
              + " one for all stock, or whichever is faster on the product (default).")
  private OrderReading orderLines;

  @Override
  public Integer call() throws InterruptedException {
    require(warehouses >= 1, "--warehouses must be at least 1");
    require(
        !(keyingThink && options().load().openLoop()),
        "--rate excludes keying and think times: leave out --keying-think");
    require(!(compat && compact), "--compat has its own population: leave out --compact");
    require(
        !(terminals().nativeApi() && foreignKeys),
        "--api native does not check foreign keys, which belong to SQL: leave out --foreign-keys");
    TpccSettings settings =
        new TpccSettings(
            warehouses, population(), compat, keyingThink, foreignKeys, orderLines, terminals());
    return run(database -> new TpccWorkload(database, settings));
  }

  private Population population() {
    if (compat) {
      return Population.PROTOTYPES;
    }
    return compact ? Population.COMPACT : Population.SPEC;
  }
}
