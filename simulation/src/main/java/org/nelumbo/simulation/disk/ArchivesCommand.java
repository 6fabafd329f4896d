package org.nelumbo.simulation.disk;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/**
 * {@code nelumbo sim durable-archives}: {@code durable-several} with archives of the logs, and
 * backups from which each later moment is restored.
 */
@Command(
    name = CopiesLossRun.ARCHIVES_NAME,
    mixinStandardHelpOptions = true,
    description =
        "As durable-several, with archives of the logs, and moments restored from backups.")
public final class ArchivesCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return CopiesLossRun.archiving();
  }
}
