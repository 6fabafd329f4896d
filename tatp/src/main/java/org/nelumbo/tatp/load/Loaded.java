package org.nelumbo.tatp.load;

/** The number of rows of each table that a load inserted. */
public record Loaded(long subscribers, long accessInfos, long specialFacilities, long forwardings) {
  /** No rows. */
  public static final Loaded NONE = new Loaded(0, 0, 0, 0);

  Loaded plus(Loaded other) {
    return new Loaded(
        subscribers + other.subscribers,
        accessInfos + other.accessInfos,
        specialFacilities + other.specialFacilities,
        forwardings + other.forwardings);
  }
}
