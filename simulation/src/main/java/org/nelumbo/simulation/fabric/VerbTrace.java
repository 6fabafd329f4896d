package org.nelumbo.simulation.fabric;

import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.simulation.trace.PoolContentMap;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/** Formats a verb's line in a readable trace. */
final class VerbTrace {
  private VerbTrace() {}

  /** Returns the name of the task of a line. */
  static String taskName(SimTask task) {
    return task == null ? "outside" : task.name();
  }

  static void line(SimWorld world, SimVerb verb, int from, int to, long value) {
    PoolContentMap map = world.trace().map();
    long address = verb.address + from;
    StringBuilder out = new StringBuilder();
    out.append(verb.name()).append(' ').append(PoolAddress.toString(address));
    out.append(" +").append(to - from);
    if (to - from < verb.length) {
      out.append(" (torn, of ").append(verb.length).append(')');
    }
    String what = map.describe(address);
    if (!what.isEmpty()) {
      out.append("  ").append(what);
    }
    out.append("  ").append(effect(map, verb, address, to - from, value));
    out.append("  by ").append(verb.site);
    world.trace().line(world.now(), taskName(verb.task), out.toString());
  }

  private static String effect(
      PoolContentMap map, SimVerb verb, long address, int length, long value) {
    return switch (verb.kind) {
      case SimVerb.CAS ->
          (value == verb.expected ? "" : "failed ")
              + map.describeValue(address, value)
              + " -> "
              + map.describeValue(address, verb.operand);
      case SimVerb.FAA ->
          map.describeValue(address, value)
              + " -> "
              + map.describeValue(address, value + verb.operand);
      default ->
          length == 2 * Long.BYTES
              ? map.describeValue(address, value)
                  + ", "
                  + map.describeValue(
                      address + Long.BYTES, verb.node.word(verb.offset + verb.length - Long.BYTES))
              : map.describeValue(address, value);
    };
  }
}
