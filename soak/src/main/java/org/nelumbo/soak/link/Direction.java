package org.nelumbo.soak.link;

/** The direction of bytes over a link. */
public enum Direction {
  /** From the client to the memory node: requests. */
  TO_NODE,
  /** From the memory node to the client: responses. */
  TO_CLIENT
}
