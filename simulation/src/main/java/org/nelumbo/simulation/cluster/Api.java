package org.nelumbo.simulation.cluster;

/** The API by which clients reach the engine. */
public enum Api {
  /** Key operations of the native transaction API. */
  NATIVE,
  /** SQL statements, planned and executed like those of a connection. */
  SQL
}
