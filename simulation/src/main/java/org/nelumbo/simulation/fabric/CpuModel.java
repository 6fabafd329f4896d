package org.nelumbo.simulation.fabric;

import org.nelumbo.simulation.config.Settings;

/**
 * The processor time of a compute node's work, in nanoseconds. It is charged to the processor of
 * the thread that does the work, if the compute node has processors.
 *
 * @param post for each verb
 * @param doorbell for the verbs of a flush to one memory node, in addition
 * @param poll for each flush: its completions, and the switch to the coroutine that waits
 * @param send for each message that is sent to another compute node
 * @param serve for each message that is received
 * @param transaction for each transaction
 * @param row for each row that a transaction reads or inserts
 */
public record CpuModel(
    long post, long doorbell, long poll, long send, long serve, long transaction, long row) {
  static final CpuModel FREE = new CpuModel(0, 0, 0, 0, 0, 0, 0);

  /** Reads the keys that begin with a prefix; {@code base} has the defaults. */
  static CpuModel of(CpuModel base, String prefix, Settings settings) {
    return new CpuModel(
        settings.nanos(prefix + "post", base.post + "ns"),
        settings.nanos(prefix + "doorbell", base.doorbell + "ns"),
        settings.nanos(prefix + "poll", base.poll + "ns"),
        settings.nanos(prefix + "send", base.send + "ns"),
        settings.nanos(prefix + "serve", base.serve + "ns"),
        settings.nanos(prefix + "transaction", base.transaction + "ns"),
        settings.nanos(prefix + "row", base.row + "ns"));
  }
}
