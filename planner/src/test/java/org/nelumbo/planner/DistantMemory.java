package org.nelumbo.planner;

import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.ForwardingFabric;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.planner.session.LocalDatabase;

/**
 * A pool in this process's memory that says it is remote, so that whoever attaches to it takes care
 * of round trips, and counts them; it outlives those who attach, one after the other.
 */
final class DistantMemory implements AutoCloseable {
  private static final long BYTES = 256L << 20;

  private final LocalFabric memory = new LocalFabric(BYTES);

  private static final class Distant extends ForwardingFabric {
    Distant(Fabric fabric) {
      super(fabric);
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** A compute node that remembers nothing; the one before has been closed. */
  Database attach() {
    return LocalDatabase.attach(
        DatabaseOptions.defaults().withMemoryBytes(BYTES).withCountVerbs(true),
        new SystemEnvironment(),
        "a test",
        "",
        () -> new Distant(memory));
  }

  @Override
  public void close() {
    memory.close();
  }
}
