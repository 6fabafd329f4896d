package org.nelumbo.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.node.MemoryNode;

/** A new pool of one kind, with an attached compute node. */
public final class TestPool implements AutoCloseable {
  /** Location of the memory of a pool. */
  public enum Kind {
    /** The memory of this process. */
    MEMORY,
    /** A memory node that is reached over TCP: the compute node has caches. */
    NODE
  }

  private final MemoryNode node;
  private final Database database;

  public TestPool(Kind kind, long bytes) {
    if (kind == Kind.MEMORY) {
      node = null;
      database = DatabaseOpener.openMemory(DatabaseOptions.defaults().withMemoryBytes(bytes));
    } else {
      node = start(bytes);
      database =
          DatabaseOpener.openRemote(
              DatabaseOptions.defaults().withMemoryBytes(bytes).withName(""),
              List.of(node.address().toString()),
              Secrets.NONE,
              null,
              null,
              0,
              List.of());
    }
  }

  private static MemoryNode start(long bytes) {
    try {
      MemoryNode node =
          new MemoryNode(
              new SystemEnvironment(),
              LocalMemory.reserve(bytes),
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT);
      node.start();
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Database database() {
    return database;
  }

  @Override
  public void close() {
    database.close();
    if (node != null) {
      node.close();
    }
  }
}
