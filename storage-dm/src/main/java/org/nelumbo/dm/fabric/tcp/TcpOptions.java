package org.nelumbo.dm.fabric.tcp;

import org.nelumbo.dm.fabric.rdma.DeviceName;

/**
 * Options of the connections to memory nodes.
 *
 * @param owner name of this process, for messages to others
 * @param connections number of connections to each node, which channels share
 * @param incarnation identifies the compute node at the memory nodes of a replicated pool, at each
 *     of them as a tenant, and at all of them as the owner that they have agreed on; 0 to draw one
 * @param rdma device that executes verbs; null to send verbs over TCP
 * @param peerPort port at which other compute nodes connect to this one: 0 for any free one, -1 for
 *     messages through memory nodes only
 */
public record TcpOptions(
    String owner,
    Security security,
    int connections,
    Timeouts timeouts,
    long incarnation,
    DeviceName rdma,
    int peerPort) {
  /**
   * Protection of the connections.
   *
   * @param secrets secrets that authenticate both sides
   * @param tls encryption; null for none
   */
  public record Security(Secrets secrets, Tls tls) {}

  /**
   * Response timeouts.
   *
   * @param millis maximum
   * @param shortestMillis minimum, for a node that has always responded at once; see {@link
   *     ReplyTimes}
   */
  public record Timeouts(int millis, int shortestMillis) {}

  /**
   * Returns default options: no secret, two connections per node, response timeouts of 30 seconds,
   * any port for other compute nodes.
   */
  public static TcpOptions of(String owner) {
    Security none = new Security(Secrets.NONE, null);
    return new TcpOptions(owner, none, 2, new Timeouts(30_000, 30_000), 0, null, 0);
  }

  /** Returns options with one secret; none if it is empty. */
  public TcpOptions withSecret(String value) {
    return withSecrets(Secrets.of(value));
  }

  public TcpOptions withSecrets(Secrets value) {
    return with(new Security(value, security.tls()));
  }

  public TcpOptions withTls(Tls value) {
    return with(new Security(security.secrets(), value));
  }

  private TcpOptions with(Security value) {
    return new TcpOptions(owner, value, connections, timeouts, incarnation, rdma, peerPort);
  }

  public TcpOptions withConnections(int value) {
    return new TcpOptions(owner, security, value, timeouts, incarnation, rdma, peerPort);
  }

  public TcpOptions withTimeoutMillis(int value) {
    return with(new Timeouts(value, timeouts.shortestMillis()));
  }

  public TcpOptions withShortestTimeoutMillis(int value) {
    return with(new Timeouts(timeouts.millis(), value));
  }

  private TcpOptions with(Timeouts value) {
    return new TcpOptions(owner, security, connections, value, incarnation, rdma, peerPort);
  }

  public TcpOptions withIncarnation(long value) {
    return new TcpOptions(owner, security, connections, timeouts, value, rdma, peerPort);
  }

  public TcpOptions withRdma(DeviceName value) {
    return new TcpOptions(owner, security, connections, timeouts, incarnation, value, peerPort);
  }

  public TcpOptions withPeerPort(int value) {
    return new TcpOptions(owner, security, connections, timeouts, incarnation, rdma, value);
  }
}
