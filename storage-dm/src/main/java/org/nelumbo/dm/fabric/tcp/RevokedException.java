package org.nelumbo.dm.fabric.tcp;

import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Thrown if a memory node has fenced this compute node, whose incarnation is never admitted again.
 */
public final class RevokedException extends PoolOpenException {
  private static final long serialVersionUID = 1L;

  RevokedException(String message) {
    super(message);
  }
}
