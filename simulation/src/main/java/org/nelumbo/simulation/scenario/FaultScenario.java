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
      "Has compute nodes agree by memory nodes that forget, over a network that loses.",
      AgreementRun::new,
      "decisions changes reads without-majority messages lost empty-restarts deaths"),
  LOCKS(
      "locks",
      "Has transactions lock on compute nodes that die, over a network that loses.",
      LocksRun::new,
      "transactions commits grants conflicts cancelled doomed configurations moves deaths messages"
          + " lost longest_us"),
  DAMAGE(
      "damage",
      "Damages rows of one table, and looks that the rest of the pool is as it was.",
      DamageRun::new,
      "attached"),
  POWER_LOSS(
      "power-loss",
      "Has a database in files lose power at any write or force, again and again.",
      PowerLossRun::new,
      "opened transactions"),
  DURABLE_NODE(
      "durable-node",
      "Has a memory node that keeps a log lose power at any write or force, and compute nodes die.",
      NodeLossRun::new,
      "started opened transactions"),
  DURABLE_COPIES(
      "durable-copies",
      "Has memory nodes with copies that keep logs lose power at any write or force, one or all.",
      CopiesLossRun::alone,
      "started opened transactions"),
  LEFT_MEMORY(
      "left-memory",
      "As durable-copies, and memory nodes find what the process before has left in memory.",
      CopiesLossRun::leavingMemory,
      "started opened transactions"),
  DURABLE_SEVERAL(
      "durable-several",
      "Has memory nodes with logs lose power at any write or force, with several compute nodes.",
      CopiesLossRun::several,
      "started opened entered filled transactions"),
  DURABLE_ARCHIVES(
      "durable-archives",
      "As durable-several, with archives of the logs, and moments restored from backups.",
      CopiesLossRun::archiving,
      "started opened entered filled backups compared transactions"),
  DISK_FAULTS(
      "disk-faults",
      "Has a database in files, and its backups, on disks that fail, fill, lie, or lose bits.",
      DiskFaultRun::new,
      "opened refused restored transactions"
          + " none? error? full? slow? flip? unreadable? misdirected? lie?"),
  SHARED_APPENDS(
      "shared-appends",
      "Has compute nodes append to logs while memory nodes lose power and return.",
      SharedAppendsRun::new,
      "appended stops deaths refused fenced compared"),
  SHARED_FLUSHES(
      "shared-flushes",
      "Has compute nodes write to the same words while memory nodes stop and return.",
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
