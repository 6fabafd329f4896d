package org.nelumbo.simulation.locks;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim locks}: locks on many compute nodes over many seeds. */
@Command(
    name = LocksRun.NAME,
    mixinStandardHelpOptions = true,
    description = "Has transactions lock on compute nodes that die, over a network that loses.")
public final class LocksCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return new LocksRun();
  }
}
