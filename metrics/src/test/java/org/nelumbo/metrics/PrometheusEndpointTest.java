package org.nelumbo.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Database;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;

@Timeout(120)
class PrometheusEndpointTest {
  private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
  private MemoryNode node;
  private PrometheusEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    node = startNode();
    endpoint =
        new PrometheusEndpoint(ANY_PORT, new MemoryNodeHealth(node), new MemoryNodeMetrics(node));
  }

  private static MemoryNode startNode() throws IOException {
    MemoryNode started =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(64 << 20),
            ANY_PORT,
            MemoryNode.Options.DEFAULT);
    started.start();
    return started;
  }

  @AfterEach
  void stop() {
    endpoint.close();
    node.close();
  }

  private HttpResponse<String> request(String method, String path, String accept)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + endpoint.address() + path))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .header("Accept", accept)
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  private double value(String line) throws IOException, InterruptedException {
    return request("GET", "/metrics", "text/plain")
        .body()
        .lines()
        .filter(each -> each.startsWith(line + " "))
        .mapToDouble(each -> Double.parseDouble(each.substring(line.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + line));
  }

  @Test
  void shouldExportNodeMetrics() throws Exception {
    assertEquals(0, value("nelumbo_node_owned"));
    assertEquals(64 << 20, value("nelumbo_node_memory_bytes{state=\"capacity\"}"));
    assertEquals(0, value("nelumbo_node_memory_bytes{state=\"taken\"}"));
    try (Connection connection =
            DriverManager.getConnection("jdbc:nelumbo://" + node.address() + "/shop?create=true");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (a INT PRIMARY KEY)");
      double writes = value("nelumbo_node_verbs_total{kind=\"write\"}");
      statement.execute("INSERT INTO t VALUES (1)");
      assertTrue(value("nelumbo_node_verbs_total{kind=\"write\"}") > writes);
      assertEquals(1, value("nelumbo_node_owned"));
      assertEquals(1, value("nelumbo_node_epoch"));
      double connections = value("nelumbo_node_connections");
      // one for messages, one for requests about other clients, those of sessions
      assertTrue(connections >= 2 && connections <= 4, "connections=" + connections);
      for (String some :
          new String[] {
            "nelumbo_node_frames_total",
            "nelumbo_node_verbs_total{kind=\"read\"}",
            "nelumbo_node_verbs_total{kind=\"faa\"}",
            "nelumbo_node_verb_bytes_total{direction=\"read\"}",
            "nelumbo_node_verb_bytes_total{direction=\"written\"}",
            "nelumbo_node_network_bytes_total{direction=\"received\"}",
            "nelumbo_node_network_bytes_total{direction=\"sent\"}",
            "nelumbo_node_memory_bytes{state=\"taken\"}",
            "jvm_threads_live_threads"
          }) {
        assertTrue(value(some) > 0, some);
      }
      shouldAgreeWithTheComputeNode(connection);
      statement.execute("SHUTDOWN");
    }
  }

  private void shouldAgreeWithTheComputeNode(Connection connection) throws SQLException {
    MeterRegistry registry = new SimpleMeterRegistry();
    new DatabaseMetrics(connection.unwrap(Database.class)).bindTo(registry);
    double frames = registry.get("nelumbo.network.frames").functionCounter().count();
    assertTrue(frames > 0 && frames <= node.counters().frames() + 1, "frames=" + frames);
    double sent =
        registry.get("nelumbo.network").tag("direction", "sent").functionCounter().count();
    assertTrue(sent > 16 * frames, "sent=" + sent);
  }

  @Test
  void shouldCountRefusedConnections() throws Exception {
    try (Socket socket = new Socket(node.address().host(), node.address().port());
        OutputStream out = socket.getOutputStream()) {
      out.write("GET / HTTP/1.0\r\n\r\n, says somebody else".getBytes(StandardCharsets.US_ASCII));
      while (socket.getInputStream().read() >= 0) {}
    }
    assertEquals(1, value("nelumbo_node_connections_refused_total{reason=\"protocol\"}"));
    assertEquals(1, value("nelumbo_node_connections_accepted_total"));
    try (Connection connection =
            DriverManager.getConnection("jdbc:nelumbo://" + node.address() + "/shop?create=true");
        Statement statement = connection.createStatement()) {
      String again = "jdbc:nelumbo://localhost:" + node.address().port() + "/shop";
      try (Connection beside = DriverManager.getConnection(again);
          Statement last = beside.createStatement()) {
        last.execute("SHUTDOWN");
      }
      statement.execute("SHUTDOWN");
    }
    // an attempt to join is refused until the first one shares the pool
    assertTrue(value("nelumbo_node_connections_refused_total{reason=\"in_use\"}") >= 1);
  }

  @Test
  void shouldServeOpenMetricsOnRequest() throws Exception {
    HttpResponse<String> reply =
        request("GET", "/metrics", "application/openmetrics-text; version=1.0.0");
    assertEquals(200, reply.statusCode());
    assertTrue(
        reply
            .headers()
            .firstValue("Content-Type")
            .orElseThrow()
            .startsWith("application/openmetrics-text"));
    assertTrue(reply.body().endsWith("# EOF\n"));
  }

  @Test
  void shouldRejectUnknownPathsAndMethods() throws Exception {
    assertEquals(404, request("GET", "/", "*/*").statusCode());
    assertEquals(404, request("GET", "/metrics2", "*/*").statusCode());
    assertEquals(405, request("POST", "/metrics", "*/*").statusCode());
  }

  @Test
  void shouldReportHealthAndReadinessOfNode() throws Exception {
    assertEquals(200, request("GET", "/health", "*/*").statusCode());
    assertEquals("ok\n", request("GET", "/ready", "*/*").body());
    node.close();
    assertEquals(503, request("GET", "/health", "*/*").statusCode());
    assertEquals("the memory node is closed\n", request("GET", "/ready", "*/*").body());
  }

  @Test
  void shouldReportOpenDatabaseAsReady() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:nelumbo:mem:")) {
      HealthCheck health = new DatabaseHealth(connection.unwrap(Database.class));
      assertEquals("", health.illness());
      assertEquals("", health.unreadiness());
    }
  }

  @Test
  void shouldReportDatabaseOfFailedMemoryNodeAsNotReady() throws Exception {
    MemoryNode only = startNode();
    String url = "jdbc:nelumbo://" + only.address() + "/single?create=true";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      HealthCheck health = new DatabaseHealth(connection.unwrap(Database.class));
      assertEquals("", health.unreadiness());
      only.close();
      while (health.unreadiness().isEmpty()) {
        assertThrows(SQLException.class, () -> statement.execute("CREATE TABLE t (a INTEGER)"));
      }
      assertEquals("the pool is lost: too many memory nodes have failed", health.unreadiness());
    } finally {
      only.close();
    }
  }

  @Test
  void shouldReportDatabaseOfLostPoolAsNotReady() throws Exception {
    List<MemoryNode> nodes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      nodes.add(startNode());
    }
    String addresses =
        nodes.stream().map(each -> each.address().toString()).collect(Collectors.joining(","));
    String url = "jdbc:nelumbo://" + addresses + "/copied?create=true&replicas=3";
    try (Connection connection = DriverManager.getConnection(url)) {
      HealthCheck health = new DatabaseHealth(connection.unwrap(Database.class));
      assertEquals("", health.unreadiness());
      nodes.removeFirst().close();
      nodes.removeFirst().close();
      while (health.unreadiness().isEmpty()) {
        Thread.onSpinWait();
      }
      assertEquals("the pool is lost: too many memory nodes have failed", health.unreadiness());
      assertEquals("", health.illness());
    } finally {
      nodes.forEach(MemoryNode::close);
    }
  }

  /** Incomplete requests hold few file descriptors, and only for a short time. */
  @Test
  void shouldLimitConcurrentConnections() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      int closed = 0;
      for (int i = 0; i < 60; i++) {
        Socket socket = new Socket(endpoint.address().host(), endpoint.address().port());
        silent.add(socket);
        socket.setSoTimeout(100);
        socket.getOutputStream().write("GET /metrics HT".getBytes(StandardCharsets.US_ASCII));
        closed += isClosed(socket) ? 1 : 0;
      }
      assertTrue(closed >= 40, "closed=" + closed);
      silent.getFirst().setSoTimeout(60_000);
      assertTrue(isClosed(silent.getFirst()));
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
    assertEquals(200, request("GET", "/ready", "*/*").statusCode());
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
