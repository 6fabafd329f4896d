package org.nelumbo.simulation.disk;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/**
 * {@code nelumbo sim durable-several}: memory nodes with logs that lose power while several compute
 * nodes have their pool, over many seeds.
 */
@Command(
    name = CopiesLossRun.SEVERAL_NAME,
    mixinStandardHelpOptions = true,
    description =
        "Has memory nodes with logs lose power at any write or force, with several compute nodes.")
public final class SeveralLossCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return CopiesLossRun.several();
  }
}
