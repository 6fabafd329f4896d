package org.nelumbo.simulation.replication;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim shared-flushes}: flushes to copies from several compute nodes. */
@Command(
    name = SharedFlushesRun.NAME,
    mixinStandardHelpOptions = true,
    description = "Has compute nodes write to the same words while memory nodes stop and return.")
public final class SharedFlushesCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return new SharedFlushesRun();
  }
}
