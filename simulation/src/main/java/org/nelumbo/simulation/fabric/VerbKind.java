package org.nelumbo.simulation.fabric;

/** The kinds of verbs that a network card distinguishes. */
public enum VerbKind {
  READ,
  WRITE,
  CAS,
  FAA;

  boolean isAtomic() {
    return this == CAS || this == FAA;
  }
}
