package org.nelumbo.simulation.scenario;

import java.util.Arrays;
import java.util.function.BiFunction;
import org.nelumbo.simulation.agreement.AgreementRun;
import org.nelumbo.simulation.damage.DamageRun;
import org.nelumbo.simulation.disk.CopiesLossRun;
import org.nelumbo.simulation.disk.DiskFaultRun;
import org.nelumbo.simulation.disk.NodeLossRun;
import org.nelumbo.simulation.disk.PowerLossRun;
import org.nelumbo.simulation.disk.SharedAppendsRun;
import org.nelumbo.simulation.locks.LocksRun;
import org.nelumbo.simulation.replication.SharedFlushesRun;
import org.nelumbo.simulation.run.FaultCommand;
import org.nelumbo.simulation.run.FaultRun;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimWorld;
import picocli.CommandLine;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The scenarios without a file; each is a {@link FaultRun} and a command {@code nelumbo sim NAME}.
 */
public enum FaultScenario {
  AGREEMENT(
      "agreement",
      "Compute nodes reach agreement through memory nodes that lose state, on a lossy network.",
      AgreementRun::new,
      "decisions changes reads without-majority messages lost empty-restarts deaths"),
  LOCKS(
      "locks",
      "Transactions acquire locks on compute nodes that fail, on a lossy network.",
      LocksRun::new,
      "transactions commits grants conflicts cancelled revoked configurations moves deaths messages"
          + " lost longest_us"),
  DAMAGE(
      "damage",
      "Damages rows of one table, and checks that the rest of the pool is unchanged.",
      DamageRun::new,
      "attached"),
  POWER_LOSS(
      "power-loss",
      "A database in files repeatedly loses power at any write or force.",
      PowerLossRun::new,
      "opened transactions"),
  DURABLE_NODE(
      "durable-node",
      "A memory node with a log loses power at any write or force; compute nodes fail.",
      NodeLossRun::new,
      "started opened transactions"),
  DURABLE_COPIES(
      "durable-copies",
      "Memory nodes with copies and logs lose power at any write or force, one or all of them.",
      CopiesLossRun::alone,
      "started opened transactions"),
  LEFT_MEMORY(
      "left-memory",
      "As durable-copies; memory nodes also find the memory contents of their previous process.",
      CopiesLossRun::leavingMemory,
      "started opened transactions"),
  DURABLE_SEVERAL(
      "durable-several",
      "Memory nodes with logs lose power at any write or force, with several compute nodes.",
      CopiesLossRun::several,
      "started opened entered filled transactions"),
  DURABLE_ARCHIVES(
      "durable-archives",
      "As durable-several, with archived logs and point-in-time restores from backups.",
      CopiesLossRun::archiving,
      "started opened entered filled backups compared transactions"),
  DISK_FAULTS(
      "disk-faults",
      "A database in files and its backups on disks that fail, fill up, lie, or corrupt data.",
      DiskFaultRun::new,
      "opened refused restored transactions"
          + " none? error? full? slow? flip? unreadable? misdirected? lie?"),
  SHARED_APPENDS(
      "shared-appends",
      "Compute nodes append to logs while memory nodes lose power and restart.",
      SharedAppendsRun::new,
      "appended stops deaths refused fenced compared"),
  SHARED_FLUSHES(
      "shared-flushes",
      "Compute nodes write to the same words while memory nodes stop and restart.",
      SharedFlushesRun::new,
      "done stops deaths refused");

  private final String name;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // constructors
  private final BiFunction<SimWorld, Totals, FaultRun> factory;

  private final String totals;

  FaultScenario(
      String name,
      String description,
      BiFunction<SimWorld, Totals, FaultRun> factory,
      String totals) {
    this.name = name;
    this.description = description;
    this.factory = factory;
    this.totals = totals;
  }

  /** Returns the scenario with a name, or null if there is none. */
  static FaultScenario of(String name) {
    return Arrays.stream(values()).filter(each -> each.name.equals(name)).findFirst().orElse(null);
  }

  /** Returns new runs of the scenario, with totals of 0. */
  public FaultSeeds newRuns() {
    return new FaultSeeds(factory, totals.split(" "));
  }

  private CommandLine newCommand() {
    CommandLine command = new CommandLine(new FaultCommand(newRuns()));
    command.getCommandSpec().name(name).usageMessage().description(description);
    return command;
  }

  /** Adds the command of each scenario to a parent command. */
  static final class Commands implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec parent) {
      for (FaultScenario each : values()) {
        parent.addSubcommand(each.name, each.newCommand());
      }
      return parent;
    }
  }
}
