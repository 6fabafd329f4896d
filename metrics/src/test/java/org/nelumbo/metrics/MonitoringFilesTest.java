package org.nelumbo.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.database.Database;
import org.nelumbo.database.open.NodePool;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.redo.RedoOptions;

/** Checks that the metrics of the dashboard and the alerts in docs/monitoring exist. */
class MonitoringFilesTest {
  private static final Pattern METRIC = Pattern.compile("nelumbo_[a-z_]+");
  private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (nelumbo_[a-z_]+) ");
  private static final int NODES = 3;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MemoryNode[] nodes = new MemoryNode[NODES];
  private MemoryNode durable;
  private Connection connection;

  @TempDir private Path directory;

  @BeforeEach
  void open() throws Exception {
    for (int node = 0; node < NODES; node++) {
      nodes[node] =
          new MemoryNode(
              new SystemEnvironment(),
              LocalMemory.reserve(64 << 20),
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT);
      nodes[node].start();
    }
    connection =
        DriverManager.getConnection(
            Arrays.stream(nodes)
                .map(node -> node.address().toString())
                .collect(Collectors.joining(",", "jdbc:nelumbo://", "/m?create=true")));
    new DatabaseMetrics(connection.unwrap(Database.class)).bindTo(registry);
    new MemoryNodeMetrics(nodes[0]).bindTo(registry);
    durable = newDurable();
    new MemoryNodeMetrics(durable).bindTo(registry); // metrics that only durable nodes have
  }

  private MemoryNode newDurable() throws IOException {
    SystemEnvironment environment = new SystemEnvironment();
    return new MemoryNode(
        environment,
        LocalMemory.reserve(1 << 20),
        new NodeAddress("127.0.0.1", 0),
        MemoryNode.Options.DEFAULT.withVotes(directory.resolve("votes")),
        NodePool.open(
            environment,
            DirectoryDisk.open(directory.resolve("log"), "a test"),
            RedoOptions.DEFAULT,
            null,
            1));
  }

  @AfterEach
  void close() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
    connection.close();
    for (MemoryNode node : nodes) {
      node.close();
    }
    durable.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"grafana-dashboard.json", "prometheus-alerts.yml"})
  void shouldNameOnlyExistingMetrics(String file) throws IOException {
    Set<String> there =
        FAMILY
            .matcher(registry.scrape())
            .results()
            .map(each -> each.group(1))
            .collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    int named = 0;
    Matcher matcher = METRIC.matcher(Files.readString(Path.of("../docs/monitoring", file)));
    for (; matcher.find(); named++) {
      if (!there.contains(matcher.group())) {
        unknown.add(matcher.group());
      }
    }
    assertTrue(named > 10, "names " + named);
    assertEquals(Set.of(), unknown, () -> "of " + new TreeSet<>(there));
  }
}
