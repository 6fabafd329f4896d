package org.nelumbo.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.node.NodeCounters;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.dm.replication.view.PoolMembership;

/** Meters of a memory node in this process. */
public final class MemoryNodeMetrics implements MeterBinder {
  private final MemoryNode node;

  public MemoryNodeMetrics(MemoryNode node) {
    this.node = node;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    bindVerbs(registry);
    bindConnections(registry);
    bindMemory(registry);
    bindPart(registry);
    if (node.isDurable()) {
      bindLog(registry);
    }
  }

  private void bindLog(MeterRegistry registry) {
    log(registry, "log", MemoryNode::logBytes);
    log(registry, "checkpoint", MemoryNode::checkpointBytes);
    gauge(
        registry,
        "nelumbo.node.log.failed",
        "1 if the log can no longer be written: restart the node",
        each -> each.logFailure() == null ? 0 : 1);
  }

  private void log(MeterRegistry registry, String part, ToDoubleFunction<MemoryNode> value) {
    Gauge.builder("nelumbo.node.log", node, value)
        .tag("part", part)
        .description("Bytes of the newest checkpoint, and of the log after it")
        .baseUnit("bytes")
        .register(registry);
  }

  private void bindVerbs(MeterRegistry registry) {
    verbs(registry, "read", FabricCounters::reads);
    verbs(registry, "write", FabricCounters::writes);
    verbs(registry, "cas", FabricCounters::compareAndSwaps);
    verbs(registry, "faa", FabricCounters::fetchAndAdds);
    counter(
        registry,
        "nelumbo.node.frames",
        "Batches of verbs, and heartbeats without a verb",
        NodeCounters::frames);
    bytes(registry, "nelumbo.node.verb", "read", all -> all.verbs().bytesIn());
    bytes(registry, "nelumbo.node.verb", "written", all -> all.verbs().bytesOut());
    bytes(registry, "nelumbo.node.network", "received", NodeCounters::bytesReceived);
    bytes(registry, "nelumbo.node.network", "sent", NodeCounters::bytesSent);
  }

  private void verbs(MeterRegistry registry, String kind, ToDoubleFunction<FabricCounters> value) {
    FunctionCounter.builder(
            "nelumbo.node.verbs", node.counters(), all -> value.applyAsDouble(all.verbs()))
        .tag("kind", kind)
        .description("Verbs done")
        .register(registry);
  }

  private void bytes(
      MeterRegistry registry, String name, String direction, ToDoubleFunction<NodeCounters> value) {
    FunctionCounter.builder(name, node.counters(), value)
        .tag("direction", direction)
        .description("Bytes transferred by verbs, or over the network")
        .baseUnit("bytes")
        .register(registry);
  }

  private void bindConnections(MeterRegistry registry) {
    gauge(registry, "nelumbo.node.connections", "Open connections", MemoryNode::connections);
    counter(
        registry,
        "nelumbo.node.connections.accepted",
        "Accepted connections",
        NodeCounters::accepted);
    counter(
        registry,
        "nelumbo.node.accept.failures",
        "Times that connections could not be accepted because descriptors or threads had run out",
        NodeCounters::acceptFailures);
    for (NodeCounters.Refusal why : NodeCounters.Refusal.values()) {
      FunctionCounter.builder(
              "nelumbo.node.connections.refused", node.counters(), all -> all.refused(why))
          .tag("reason", why.name().toLowerCase(Locale.ROOT))
          .description("Connections that this node closed")
          .register(registry);
    }
    gauge(registry, "nelumbo.node.epoch", "Incremented with each owner", MemoryNode::epoch);
    gauge(
        registry,
        "nelumbo.node.owned",
        "1 if a compute node is attached",
        each -> each.isOwned() ? 1 : 0);
    TimeGauge.builder(
            "nelumbo.node.owner.silent", node, TimeUnit.NANOSECONDS, MemoryNode::ownerSilentNanos)
        .description("Time since the owner last sent anything; 0 without an owner")
        .register(registry);
  }

  private void bindMemory(MeterRegistry registry) {
    memory(registry, "capacity", MemoryNode::bytes);
    memory(registry, "taken", MemoryNode::takenBytes);
    memory(registry, "available", MemoryNode::availableBytes);
    gauge(
        registry,
        "nelumbo.node.memory.full.seconds",
        "Seconds until all memory is allocated, at the rate of the last ten minutes; +Inf"
            + " if it does not grow",
        MemoryNode::secondsUntilFull);
  }

  private void memory(MeterRegistry registry, String state, ToDoubleFunction<MemoryNode> value) {
    Gauge.builder("nelumbo.node.memory", node, value)
        .tag("state", state)
        .description(
            "Memory of the node; taken: allocated to compute nodes; available: memory that"
                + " the system can still provide")
        .baseUnit("bytes")
        .register(registry);
  }

  private void bindPart(MeterRegistry registry) {
    for (PoolMembership.Role role : PoolMembership.Role.values()) {
      Gauge.builder("nelumbo.node.role", node, each -> each.part().role() == role ? 1 : 0)
          .tag("role", role.name().toLowerCase(Locale.ROOT))
          .description("1 for the known role of this node in its pool")
          .register(registry);
    }
    gauge(
        registry,
        "nelumbo.node.view",
        "Number of the last view that it received; 0 if there is one copy",
        each -> each.part().view());
    gauge(
        registry,
        "nelumbo.node.view.live",
        "Nodes that are live in that view",
        each -> each.part().liveNodes());
    gauge(registry, "nelumbo.node.view.nodes", "Nodes of the pool", each -> each.part().nodes());
    fill(registry, "copied", PoolMembership::filledBytes);
    fill(registry, "wanted", PoolMembership::fillBytes);
  }

  private void fill(MeterRegistry registry, String state, ToDoubleFunction<PoolMembership> value) {
    Gauge.builder("nelumbo.node.fill", node, each -> value.applyAsDouble(each.part()))
        .tag("state", state)
        .description("Progress of being filled: bytes by state")
        .baseUnit("bytes")
        .register(registry);
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<NodeCounters> value) {
    FunctionCounter.builder(name, node.counters(), value)
        .description(description)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String description, ToDoubleFunction<MemoryNode> value) {
    Gauge.builder(name, node, value).description(description).register(registry);
  }
}
