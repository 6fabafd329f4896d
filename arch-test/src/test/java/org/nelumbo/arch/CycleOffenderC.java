package org.nelumbo.arch;

/** The third class of the cycle of {@link CycleOffenders}. */
final class CycleOffenderC {
  CycleOffenders next() {
    return null;
  }
}
