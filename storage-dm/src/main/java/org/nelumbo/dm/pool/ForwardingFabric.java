package org.nelumbo.dm.pool;

/**
 * A fabric that forwards to another one: a base class for fabrics that change a part of the
 * behaviour and must forward all the rest. Thread-safe if the other is.
 */
public abstract class ForwardingFabric implements Fabric {
  protected final Fabric fabric;

  protected ForwardingFabric(Fabric fabric) {
    this.fabric = fabric;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return fabric.openChannel(stagingBytes);
  }

  @Override
  public int nodeCount() {
    return fabric.nodeCount();
  }

  @Override
  public int physicalNodeCount() {
    return fabric.physicalNodeCount();
  }

  @Override
  public long nodeBytes(int node) {
    return fabric.nodeBytes(node);
  }

  @Override
  public String nodeName(int node) {
    return fabric.nodeName(node);
  }

  @Override
  public String nodeProblem(int node) {
    return fabric.nodeProblem(node);
  }

  @Override
  public boolean isRemote() {
    return fabric.isRemote();
  }

  @Override
  public NetworkTraffic traffic() {
    return fabric.traffic();
  }

  @Override
  public long poolId() {
    return fabric.poolId();
  }

  @Override
  public int liveCopies() {
    return fabric.liveCopies();
  }

  @Override
  public ReplicationStatus replicationStatus() {
    return fabric.replicationStatus();
  }

  @Override
  public CopiesCheck copiesCheck() {
    return fabric.copiesCheck();
  }

  @Override
  public SharedPool sharing() {
    return fabric.sharing();
  }

  @Override
  public PoolLog log() {
    return fabric.log();
  }

  @Override
  public void fill(MemorySource source) {
    fabric.fill(source);
  }

  @Override
  public void lose(Throwable why) {
    fabric.lose(why);
  }

  @Override
  public void close() {
    fabric.close();
  }
}
