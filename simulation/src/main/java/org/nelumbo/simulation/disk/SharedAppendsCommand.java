package org.nelumbo.simulation.disk;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim shared-appends}: appends to logs from several compute nodes. */
@Command(
    name = SharedAppendsRun.NAME,
    mixinStandardHelpOptions = true,
    description = "Has compute nodes append to logs while memory nodes lose power and return.")
public final class SharedAppendsCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return new SharedAppendsRun();
  }
}
