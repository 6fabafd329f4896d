package org.nelumbo.sim.workload;

/** The workloads there are. */
public enum Kind {
  BANK,
  MIRROR,
  OWNED,
  ORDERS,
  REGISTERS,
  LISTS
}
