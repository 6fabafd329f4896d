package org.nelumbo.simulation.workload;

/** The workloads there are. */
public enum WorkloadKind {
  BANK,
  MIRROR,
  OWNED,
  HOLDERS,
  ORDERS,
  REGISTERS,
  LISTS
}
