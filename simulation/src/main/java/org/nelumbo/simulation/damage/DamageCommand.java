package org.nelumbo.simulation.damage;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim damage}: damaged rows over many seeds. */
@Command(
    name = DamageRun.NAME,
    mixinStandardHelpOptions = true,
    description = "Damages rows of one table, and looks that the rest of the pool is as it was.")
public final class DamageCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return new DamageRun();
  }
}
