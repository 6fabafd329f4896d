package org.nelumbo.checker;

/** The kinds of anomalies of a history, with the names of Adya's thesis where it defines them. */
public enum AnomalyKind {
  /** A transaction contradicts itself: a read disagrees with its own writes or earlier reads. */
  INTERNAL("internal", "a transaction disagrees with its own writes or earlier reads"),
  /** A read returned a value without a write. */
  GARBAGE_READ("garbage read", "a value was read that no transaction wrote"),
  /** A read returned the write of an aborted transaction. */
  ABORTED_READ("G1a", "aborted read"),
  /** A read returned a value that its transaction itself replaced. */
  INTERMEDIATE_READ("G1b", "intermediate read"),
  /** An element is in a list twice. */
  DUPLICATE_ELEMENT("duplicate element", "a list contains one append twice"),
  /** Two reads of a list of which neither is a prefix of the other. */
  INCOMPATIBLE_ORDER("incompatible order", "two reads of one list disagree about its order"),
  /** Two transactions replaced the same version. */
  LOST_UPDATE("lost update", "two transactions read the same version and both replaced it"),
  /** No possible version explains that a row was missing. */
  MISSING_ROW("missing row", "a row was not found although it existed all the time"),
  /** A cycle of writes. */
  G0("G0", "write cycle"),
  /** A cycle of writes and reads of them. */
  G1C("G1c", "circular information flow"),
  /** A cycle with one anti-dependency. */
  G_SINGLE("G-single", "read skew"),
  /** A cycle with several anti-dependencies, no two of them adjacent. */
  G_NONADJACENT("G-nonadjacent", "cycle that snapshots do not allow"),
  /** Two readers saw two writes in opposite orders. */
  LONG_FORK("long fork", "two readers saw two writes in opposite orders"),
  /** A cycle with several anti-dependencies on rows. */
  G2_ITEM("G2-item", "write skew"),
  /** A cycle with several anti-dependencies, one of them on a range read. */
  G2("G2", "write skew by phantoms");

  private final String label;
  private final String meaning;

  AnomalyKind(String label, String meaning) {
    this.label = label;
    this.meaning = meaning;
  }

  /** Returns the name in the literature. */
  public String label() {
    return label;
  }

  /** Returns a short description for readers who do not know the name. */
  public String meaning() {
    return meaning;
  }
}
