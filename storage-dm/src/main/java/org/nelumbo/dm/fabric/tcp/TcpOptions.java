package org.nelumbo.dm.fabric.tcp;

import org.nelumbo.dm.fabric.rdma.DeviceName;

/**
 * Settings of the connections to memory nodes.
 *
 * @param owner name of this process, for messages to others
 * @param connections for each node; channels share them
 * @param incarnation by which memory nodes of a pool with copies know the compute node: each of
 *     them as a tenant, and all of them as the owner that they have agreed on; 0: it is drawn
 * @param rdma the device by which verbs are done; null: they are sent over TCP
 * @param peerPort at which other compute nodes reach this one: 0 for any that is free, -1 if they
 *     are to do so through memory nodes only
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
   * @param secrets what the memory nodes demand, and have to know
   * @param tls how to encrypt; null: not at all
   */
  public record Security(Secrets secrets, Tls tls) {}

  /**
   * Longest waits for an answer.
   *
   * @param millis in any case
   * @param shortestMillis of a node that has always answered at once; see {@link AnswerTimes}
   */
  public record Timeouts(int millis, int shortestMillis) {}

  /** No secret, two connections a node, 30 seconds for each answer, any port for others. */
  public static TcpOptions of(String owner) {
    Security none = new Security(Secrets.NONE, null);
    return new TcpOptions(owner, none, 2, new Timeouts(30_000, 30_000), 0, null, 0);
  }

  /** One secret; none if it is empty. */
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
