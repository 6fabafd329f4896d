package org.nelumbo.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.dm.fabric.shm.SharedFilesReport;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.cluster.ClusterNode;

/**
 * Lines about the compute nodes that share a pool, from the status of the memory nodes and from the
 * agreed configuration of the lock shards.
 */
final class ComputeNodeLines {
  private static final Pattern TENANT =
      Pattern.compile("(?m)^tenant=([0-9a-f]+) connections=([0-9]+) silent_ms=([0-9]+) name=(.*)$");

  private final Map<Long, Tenant> tenants = new LinkedHashMap<>();

  /**
   * A compute node in the statuses of all memory nodes: the longest time since a heartbeat, and the
   * smallest number of connections.
   */
  private static final class Tenant {
    private final String name;
    private boolean isInFiles;
    private int connections = Integer.MAX_VALUE;
    private long silentMillis;
    private int replies;

    Tenant(String name) {
      this.name = name;
    }
  }

  /** Adds the status of a memory node. */
  void add(String status) {
    Matcher each = TENANT.matcher(status);
    while (each.find()) {
      String name = each.group(4);
      Tenant tenant =
          tenants.computeIfAbsent(Long.parseUnsignedLong(each.group(1), 16), _ -> new Tenant(name));
      tenant.connections = Math.min(tenant.connections, Integer.parseInt(each.group(2)));
      tenant.silentMillis = Math.max(tenant.silentMillis, Long.parseLong(each.group(3)));
      tenant.replies++;
    }
  }

  /** Adds the report of the files of a pool. */
  void add(SharedFilesReport report) {
    for (SharedFilesReport.SharingProcess each : report.processes()) {
      Tenant tenant = tenants.computeIfAbsent(each.id(), _ -> new Tenant(each.name()));
      tenant.isInFiles = true;
      tenant.connections = each.isAlive() ? 1 : 0;
      tenant.replies++;
    }
  }

  /** Returns a status without the lines that this class shows. */
  static String rest(String status) {
    return TENANT.matcher(status).replaceAll("").replaceAll("\n+", "\n").strip();
  }

  /** Returns true if the pool is shared. */
  boolean isShared() {
    return !tenants.isEmpty();
  }

  /**
   * Returns the lines.
   *
   * @param configuration agreed configuration; null if it is unknown
   * @param memoryNodes number of memory nodes that have responded; 1 for a pool in files
   */
  List<String> lines(ClusterConfiguration configuration, int memoryNodes) {
    List<String> lines = new ArrayList<>();
    tenants.forEach((id, each) -> lines.add(line(id, each, configuration, memoryNodes)));
    if (configuration != null) {
      for (ClusterNode each : configuration.nodes()) {
        if (!tenants.containsKey(each.tenant())) {
          lines.add(member(each, configuration) + " state=gone name=" + each.name());
        }
      }
    }
    lines.add(sum(configuration));
    return lines;
  }

  private static String line(
      long id, Tenant tenant, ClusterConfiguration configurationOrNull, int memoryNodes) {
    ClusterNode node = configurationOrNull == null ? null : node(id, configurationOrNull);
    return (node == null ? "compute_node=none" : member(node, configurationOrNull))
        + (tenant.isInFiles
            ? ""
            : " connections=" + tenant.connections + " silent_ms=" + tenant.silentMillis)
        + " state="
        + state(node, tenant, configurationOrNull, memoryNodes)
        + " name="
        + tenant.name;
  }

  private static String state(
      ClusterNode nodeOrNull, Tenant tenant, ClusterConfiguration known, int memoryNodes) {
    if (tenant.connections == 0 || tenant.replies < memoryNodes) {
      return "cut_off";
    }
    return nodeOrNull != null ? "member" : known == null ? "unknown" : "entering";
  }

  private static ClusterNode node(long tenant, ClusterConfiguration configuration) {
    return configuration.nodes().stream()
        .filter(each -> each.tenant() == tenant)
        .findAny()
        .orElse(null);
  }

  private static String member(ClusterNode node, ClusterConfiguration configuration) {
    Instant since = Instant.EPOCH.plus(node.joinedMicros(), ChronoUnit.MICROS);
    return "compute_node="
        + node.id().incarnation()
        + (configuration.isGuest(node) ? " guest=yes" : "")
        + " shards="
        + configuration.map().shardsOf(node.id()).cardinality()
        + " since="
        + since.truncatedTo(ChronoUnit.SECONDS);
  }

  private String sum(ClusterConfiguration configurationOrNull) {
    String text = "compute_nodes=" + tenants.size();
    return configurationOrNull == null
        ? text + " configuration=unknown"
        : text
            + " configuration="
            + configurationOrNull.version()
            + " epoch="
            + configurationOrNull.map().epoch()
            + " catalog="
            + configurationOrNull.schema().version()
            + " ownerless_shards="
            + configurationOrNull.map().ownerless().cardinality();
  }
}
