package org.nelumbo.simulation.disk;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim power-loss}: a database in files that loses power, over many seeds. */
@Command(
    name = PowerLossRun.NAME,
    mixinStandardHelpOptions = true,
    description = "Has a database in files lose power at any write or force, again and again.")
public final class PowerLossCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return new PowerLossRun();
  }
}
