package org.nelumbo.simulation.disk;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim durable-copies}: memory nodes with logs that lose power, over many seeds. */
@Command(
    name = CopiesLossRun.NAME,
    mixinStandardHelpOptions = true,
    description =
        "Has memory nodes with copies that keep logs lose power at any write or force, one or all.")
public final class CopiesLossCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return CopiesLossRun.alone();
  }
}
