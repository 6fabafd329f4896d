package org.nelumbo.kv.terminal;

import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.benchmark.data.RandomValues;

/** The key of a transaction. */
public final class KeyInput {
  private final RandomValues random;
  private final Keys keys;
  private int key;

  public KeyInput(RandomValues random, Keys keys) {
    this.random = random;
    this.keys = keys;
  }

  public void draw() {
    key = keys.draw(random);
  }

  public int key() {
    return key;
  }

  /**
   * Returns a description of the inconsistency of a value read for the key, or null if there is
   * none.
   *
   * @param owner key stored in the value
   * @param counter counter of the value
   * @param copy1 first copy of the counter
   * @param copy2 second copy of the counter
   * @param copy3 third copy of the counter
   */
  public String mistake(long owner, long counter, long copy1, long copy2, long copy3) {
    return owner == key && copy1 == counter && copy2 == counter && copy3 == counter
        ? null
        : "torn or foreign value: k="
            + key
            + " owner="
            + owner
            + " counter="
            + counter
            + " copies="
            + copy1
            + ", "
            + copy2
            + ", "
            + copy3;
  }
}
