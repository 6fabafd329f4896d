package org.nelumbo.arch;

/** The second class of the cycle of {@link CycleOffenders}. */
final class CycleOffenderB {
  CycleOffenderC[] next;
}
