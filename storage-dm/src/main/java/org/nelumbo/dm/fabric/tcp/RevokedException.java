package org.nelumbo.dm.fabric.tcp;

import org.nelumbo.dm.pool.PoolOpenException;

/** A memory node has fenced this compute node: as what it was it is never let in again. */
public final class RevokedException extends PoolOpenException {
  private static final long serialVersionUID = 1L;

  RevokedException(String message) {
    super(message);
  }
}
