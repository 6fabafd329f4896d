package org.nelumbo.jdbc;

/** Version of the driver, and of the database engine it contains. */
final class DriverVersion {
  static final int MAJOR = 0;
  static final int MINOR = 1;
  static final String TEXT = "0.1.0";

  private DriverVersion() {}
}
