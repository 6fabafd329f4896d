package org.nelumbo.dm.pool;

/**
 * The expectation of a caller that opens a pool: whether there is one, and which one. It prevents a
 * lost pool from being silently replaced by a new, empty one.
 *
 * @param presence whether the pool must exist
 * @param poolId the required id; 0: any
 * @param remembered whether the id is required because this process had that pool open before
 */
public record PoolExpectation(Presence presence, long poolId, boolean remembered) {
  /** Opens an existing pool, or makes a new one if there is none. */
  public static final PoolExpectation ANY = new PoolExpectation(Presence.ANY, 0, false);

  /** Opens an existing pool only. */
  public static final PoolExpectation EXISTING = new PoolExpectation(Presence.EXISTING, 0, false);

  /** Makes a new pool only. */
  public static final PoolExpectation ABSENT = new PoolExpectation(Presence.ABSENT, 0, false);

  /** Required presence of a pool. */
  public enum Presence {
    /** The pool must exist. */
    EXISTING,
    /** The pool may exist; otherwise it is made. */
    ANY,
    /** The pool must not exist, and is made. */
    ABSENT
  }

  /** Returns this expectation with the given pool id. */
  public PoolExpectation of(long id, boolean isRemembered) {
    return new PoolExpectation(presence, id, isRemembered);
  }

  /**
   * Checks that a pool may be made in a location that has none.
   *
   * @throws PoolOpenException if not: the message says what to do
   */
  public void checkAbsent(String location) {
    if (presence == Presence.ABSENT) {
      return;
    }
    if (poolId != 0) {
      throw new PoolOpenException(
          "there is no pool in "
              + location
              + (remembered
                  ? ", but this process had pool " + text(poolId) + " open there before"
                  : ", and poolId=" + text(poolId) + " was requested")
              + ": "
              + lost(location)
              + "; if it no longer exists, nelumbo init URL or create=new creates a new,"
              + " empty one");
    }
    if (presence == Presence.EXISTING) {
      throw new PoolOpenException(
          "there is no pool in "
              + location
              + ": nelumbo init URL creates a new, empty one, and so does create=true in the"
              + " URL; if there was one, "
              + lost(location));
    }
  }

  private static String lost(String location) {
    return location.startsWith("memory nodes")
        ? "its memory is lost, or not available yet: start its memory nodes with their"
            + " previous memory (--data)"
        : "it is in another location, or its file system is not mounted: check the path in"
            + " the URL";
  }

  /**
   * Checks that a database may be made in a directory that has none.
   *
   * @throws PoolOpenException if not: the message says what to do
   */
  public void checkNoFiles(String directory) {
    if (presence != Presence.ABSENT && (poolId != 0 || presence == Presence.EXISTING)) {
      String wanted =
          poolId == 0
              ? "create=false requires an existing one"
              : remembered
                  ? "this process had database " + text(poolId) + " open there before"
                  : "poolId=" + text(poolId) + " was requested";
      throw new PoolOpenException(
          "there is no database in directory "
              + directory
              + ", and "
              + wanted
              + ": check the path, and that its file system is mounted; create=new creates a"
              + " new, empty one");
    }
  }

  /**
   * Checks that an existing pool is the expected one.
   *
   * @throws PoolOpenException if not: the message says what to do
   */
  public void checkFound(long found, String location) {
    if (presence == Presence.ABSENT) {
      throw new PoolOpenException(
          "there is already a pool in "
              + location
              + ", with the id "
              + text(found)
              + ": open it, or remove it to create a new one; it was not changed");
    }
    if (poolId != 0 && poolId != found) {
      throw new PoolOpenException(
          "the pool in "
              + location
              + " is "
              + text(found)
              + ", not "
              + text(poolId)
              + (remembered
                  ? ", which this process had open there before: if the other one is meant, say"
                      + " poolId="
                      + text(found)
                      + " in the URL once, or start the process anew"
                  : " as poolId= says: name the place of that pool"));
    }
  }

  /** Formats an id for display: 16 hexadecimal digits. */
  public static String text(long id) {
    return String.format("%016x", id);
  }

  /**
   * Parses an id in the format of {@link #text}.
   *
   * @throws NumberFormatException if the text is not an id
   */
  public static long parse(String id) {
    if (id.isEmpty() || id.length() > Long.BYTES * 2) {
      throw new NumberFormatException("a pool id has 16 hexadecimal digits");
    }
    return Long.parseUnsignedLong(id, 16);
  }
}
