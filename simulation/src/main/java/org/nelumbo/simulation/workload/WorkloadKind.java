package org.nelumbo.simulation.workload;

/** The available workloads. */
public enum WorkloadKind {
  BANK,
  MIRROR,
  OWNED,
  HOLDERS,
  ORDERS,
  REGISTERS,
  LISTS
}
