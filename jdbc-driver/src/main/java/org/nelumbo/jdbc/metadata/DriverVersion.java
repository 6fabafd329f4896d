package org.nelumbo.jdbc.metadata;

/** Version of the driver and of the database engine in it. */
public final class DriverVersion {
  public static final int MAJOR = 0;
  public static final int MINOR = 1;
  static final String TEXT = "0.1.0";

  private DriverVersion() {}
}
