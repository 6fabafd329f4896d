package org.nelumbo.simulation.fabric;

/** The kinds of verbs that a network card distinguishes. */
public enum VerbKind {
  READ,
  WRITE,
  CAS,
  FAA;

  static VerbKind of(SimVerb verb) {
    return switch (verb.kind) {
      case SimVerb.READ, SimVerb.DIGEST -> READ;
      case SimVerb.WRITE, SimVerb.WRITE_LONG -> WRITE;
      case SimVerb.CAS -> CAS;
      default -> FAA;
    };
  }

  boolean isAtomic() {
    return this == CAS || this == FAA;
  }
}
