package org.nelumbo.simulation.agreement;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim agreement}: agreement among memory nodes over many seeds. */
@Command(
    name = AgreementRun.NAME,
    mixinStandardHelpOptions = true,
    description = "Has compute nodes agree by memory nodes that forget, over a network that loses.")
public final class AgreementCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return new AgreementRun();
  }
}
