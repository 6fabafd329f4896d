package org.nelumbo.clients.hibernate;

import org.hibernate.dialect.sequence.ANSISequenceSupport;

/** Sequences of the SQL standard, dropped with IF EXISTS. */
final class Sequences extends ANSISequenceSupport {
  public static final Sequences INSTANCE = new Sequences();

  private Sequences() {}

  @Override
  public String getDropSequenceString(String sequenceName) {
    return "drop sequence if exists " + sequenceName;
  }
}
