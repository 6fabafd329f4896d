package org.nelumbo.simulation.disk;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim durable-node}: a memory node with a log that loses power, over many seeds. */
@Command(
    name = NodeLossRun.NAME,
    mixinStandardHelpOptions = true,
    description =
        "Has a memory node that keeps a log lose power at any write or force, and compute nodes die.")
public final class NodeLossCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return new NodeLossRun();
  }
}
