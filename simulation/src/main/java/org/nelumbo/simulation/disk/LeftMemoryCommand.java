package org.nelumbo.simulation.disk;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim left-memory}: {@code durable-copies} with memory that outlives processes. */
@Command(
    name = CopiesLossRun.LEFT_MEMORY_NAME,
    mixinStandardHelpOptions = true,
    description =
        "As durable-copies, and memory nodes find what the process before has left in memory.")
public final class LeftMemoryCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return CopiesLossRun.leavingMemory();
  }
}
