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
      description = "Warehouses to load; 100 MB or so each (default: ${DEFAULT-VALUE}).")
  private int warehouses;

  @Option(
      names = "--keying-think",
      description = "Let users take their time to key and to think, as the specification asks.")
  private boolean keyingThink;

  @Option(
      names = "--foreign-keys",
      description = "Declare the foreign keys (default: no; the specification leaves it open).")
  private boolean foreignKeys;

  @Option(
      names = "--compact",
      description =
          "Load a tenth of the customers and a hundredth of the items: for a first look only, the"
              + " numbers mean nothing.")
  private boolean compact;

  @Option(
      names = "--compat",
      description =
          "The prototypes' reduced variant: 300 customers a district, 10,000 items, nothing by"
              + " name, no rollbacks, any orders. Not comparable with the full one.")
  private boolean compat;

  @Option(
      names = "--order-lines",
      paramLabel = "single|together|auto",
      defaultValue = "auto",
      description =
          "How New-Order reads items and stock: line by line, with one statement for all items and"
              + " one for all stock, or as is faster with the product (default).")
  private OrderReading orderLines;

  @Override
  public Integer call() throws InterruptedException {
    require(warehouses >= 1, "--warehouses must be at least 1");
    require(
        !(keyingThink && options().load().openLoop()),
        "with --rate nobody keys or thinks: leave out --keying-think");
    require(!(compat && compact), "--compat has a population of its own; leave out --compact");
    require(
        !(terminals().nativeApi() && foreignKeys),
        "--api native checks no foreign keys: they belong to SQL; leave out --foreign-keys");
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
