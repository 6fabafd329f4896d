package org.nelumbo.arch;

/** Three classes in a cycle, the last arrow of which begins in a nested class. */
final class CycleOffenders {
  static final class Inner {
    CycleOffenderB next;
  }

  private CycleOffenders() {}
}
