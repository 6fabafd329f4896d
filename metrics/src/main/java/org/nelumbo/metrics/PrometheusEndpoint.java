package org.nelumbo.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.nelumbo.dm.fabric.tcp.NodeAddress;

/**
 * An HTTP server that responds to {@code GET /metrics} with the meters of some binders and of the
 * JVM, for Prometheus, and to {@code /health} and {@code /ready} with 200, or with 503 and the
 * reason.
 *
 * <p>Clients can use few resources: {@value #CONNECTIONS_MAX} connections in total, each limited to
 * a few seconds and kilobytes, so that enough descriptors and heap remain for the work of the
 * process. The limits of the JDK's server are system properties that it reads once; properties that
 * are already set are not changed.
 */
public final class PrometheusEndpoint implements AutoCloseable {
  private static final String OPEN_METRICS = "application/openmetrics-text";
  private static final String OPEN_METRICS_TYPE = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
  private static final String TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final String PATH = "/metrics";
  private static final int CONNECTIONS_MAX = 16;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int OK = 200;
  private static final int ITSELF_MILLIS = 5_000;
  private static final int UNAVAILABLE = 503;
  private static final int NO_BODY = -1;

  static {
    limit("jdk.httpserver.maxConnections", CONNECTIONS_MAX);
    limit("sun.net.httpserver.maxIdleConnections", CONNECTIONS_MAX / 4);
    limit("sun.net.httpserver.idleInterval", 5);
    limit("sun.net.httpserver.maxReqTime", 5);
    limit("sun.net.httpserver.maxRspTime", 20);
    limit("sun.net.httpserver.maxReqHeaders", 50);
    limit("sun.net.httpserver.maxReqHeaderSize", 8 << 10);
  }

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final HealthCheck health;

  /**
   * Starts an endpoint that is always healthy and ready.
   *
   * @throws IOException if the address cannot be used
   */
  public PrometheusEndpoint(NodeAddress address, MeterBinder... binders) throws IOException {
    this(address, HealthCheck.NONE, binders);
  }

  /**
   * Starts an endpoint.
   *
   * @throws IOException if the address cannot be used
   */
  public PrometheusEndpoint(NodeAddress address, HealthCheck health, MeterBinder... binders)
      throws IOException {
    this.health = health;
    server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getByName(address.host()), address.port()), 0);
    for (MeterBinder binder : binders) {
      binder.bindTo(registry);
    }
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
    server.createContext("/", this::reply);
    server.setExecutor(threads);
    server.start();
    askItself();
  }

  /**
   * Sends a request to this endpoint, which loads the classes for responses, such as time zones for
   * the date, while file descriptors are available: a class whose initialization has failed is
   * never initialized again.
   */
  private void askItself() {
    InetAddress own = server.getAddress().getAddress();
    InetAddress reached = own.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : own;
    try (Socket socket = new Socket(reached, server.getAddress().getPort())) {
      socket.setSoTimeout(ITSELF_MILLIS);
      String request = "GET " + PATH + " HTTP/1.0\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      // Other clients may succeed.
    }
  }

  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /** Returns the address of the endpoint, with the actual port if port 0 was requested. */
  public NodeAddress address() {
    return new NodeAddress(
        server.getAddress().getAddress().getHostAddress(), server.getAddress().getPort());
  }

  private void reply(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      boolean isKnown = path.equals(PATH) || path.equals("/health") || path.equals("/ready");
      if (!isKnown) {
        exchange.sendResponseHeaders(NOT_FOUND, NO_BODY);
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        exchange.sendResponseHeaders(NOT_ALLOWED, NO_BODY);
      } else if (path.equals(PATH)) {
        scrape(exchange);
      } else {
        tell(exchange, path.equals("/health") ? health.illness() : health.unreadiness());
      }
    }
  }

  private static void tell(HttpExchange exchange, String problem) throws IOException {
    String text = problem.isEmpty() ? "ok" : problem;
    byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.sendResponseHeaders(problem.isEmpty() ? OK : UNAVAILABLE, body.length);
    exchange.getResponseBody().write(body);
  }

  private void scrape(HttpExchange exchange) throws IOException {
    String accept = exchange.getRequestHeaders().getFirst("Accept");
    boolean open = accept != null && accept.contains(OPEN_METRICS);
    String type = open ? OPEN_METRICS_TYPE : TEXT_TYPE;
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    registry.scrape(body, type);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(OK, body.size());
    body.writeTo(exchange.getResponseBody());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    collections.close();
    registry.close();
  }
}
