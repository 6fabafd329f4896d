package org.nelumbo.simulation.disk;

import org.nelumbo.simulation.protocol.ProtocolCommand;
import org.nelumbo.simulation.protocol.ProtocolRun;
import picocli.CommandLine.Command;

/** {@code nelumbo sim disk-faults}: a database on a disk that does wrong, over many seeds. */
@Command(
    name = DiskFaultRun.NAME,
    mixinStandardHelpOptions = true,
    description =
        "Has a database in files, and its backups, on disks that fail, fill, lie, or lose bits.")
public final class DiskFaultCommand extends ProtocolCommand {
  @Override
  protected ProtocolRun newRun() {
    return new DiskFaultRun();
  }
}
