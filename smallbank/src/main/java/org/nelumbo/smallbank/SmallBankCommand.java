package org.nelumbo.smallbank;

import org.nelumbo.benchmark.command.BenchmarkCommand;
import org.nelumbo.smallbank.terminal.Customers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code nelumbo bench smallbank}. */
@Command(name = "smallbank", mixinStandardHelpOptions = true, sortOptions = false)
final class SmallBankCommand extends BenchmarkCommand {
  /** Number of customers per hot customer, unless the user gives another hot set. */
  private static final int HOT_ONE_IN = 25;

  @Option(
      names = {"--accounts", "--scale"},
      paramLabel = "N",
      defaultValue = "100000",
      description = "Customers to load, each with two accounts (default: ${DEFAULT-VALUE}).")
  private int accounts;

  @Option(
      names = "--hot-accounts",
      paramLabel = "N",
      description = "Customers in the hot set (default: 4 of 100).")
  private Integer hotAccounts;

  @Option(
      names = "--hot-probability",
      paramLabel = "PERCENT",
      defaultValue = "90",
      description =
          "Percentage of transactions that draw their customers from the hot set; 0 is uniform"
              + " (default: ${DEFAULT-VALUE}).")
  private int hotProbability;

  @Option(
      names = "--compat",
      description =
          "The variant of the prototypes: two tables, customers by number, TransactSavings only"
              + " deposits. Not comparable with full SmallBank.")
  private boolean compat;

  @Override
  public Integer call() throws InterruptedException {
    int hot = hotAccounts != null ? hotAccounts : Math.max(2, accounts / HOT_ONE_IN);
    require(
        accounts >= 2 && hot >= 2 && hot <= accounts,
        "--accounts must be at least 2, --hot-accounts 2 to --accounts");
    require(hotProbability >= 0 && hotProbability <= 100, "--hot-probability must be 0 to 100");
    SmallBankSettings settings =
        new SmallBankSettings(new Customers(accounts, hot, hotProbability), compat, terminals());
    return run(database -> new SmallBankWorkload(database, settings));
  }
}
