package org.nelumbo.executor.lock.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.nelumbo.executor.lock.LockMode;

class GrantSetProperties {
  /** Positive numbers are added and negative ones removed; 0 ends the transaction. */
  @Property(seed = "1", tries = 200)
  void shouldBeAMap(@ForAll @Size(max = 200) List<@IntRange(min = -40, max = 40) Integer> steps) {
    GrantSet grants = new GrantSet();
    Map<Long, Long> model = new HashMap<>();
    long sequence = 1;
    for (int step : steps) {
      long key = Math.abs(step) * 1000L;
      if (step == 0) {
        grants.clear();
        model.clear();
      } else if (step > 0) {
        grants.add(key, LockMode.of(1 + step % 3), ++sequence, step);
        model.put(key, sequence);
      } else if (grants.find(key) >= 0) {
        grants.remove(grants.find(key));
        model.remove(key);
      }
      assertEquals(model.size(), grants.size());
    }
    for (long key = 0; key <= 40_000; key += 1000) {
      int at = grants.find(key);
      assertEquals(model.get(key), at < 0 ? null : (Long) grants.sequence(at));
    }
  }

  /** The owner releases one lock after the other; later releases visit few slots again. */
  @Example
  void shouldShrinkWhenTheLastOfManyIsRemoved() {
    GrantSet grants = new GrantSet();
    int first = grants.capacity();
    for (long key = 1; key <= 1000; key++) {
      grants.add(key, LockMode.READ, key, 0);
    }
    for (long key = 1000; key >= 1; key--) {
      grants.remove(grants.find(key));
    }
    assertEquals(first, grants.capacity());
    grants.add(7, LockMode.READ, 1, 0);
    assertEquals(1, grants.size());
    grants.remove(grants.find(7));
    assertEquals(-1, grants.find(7));
  }

  @Example
  void shouldShrinkAfterALongTransaction() {
    GrantSet grants = new GrantSet();
    int first = grants.capacity();
    for (long key = 1; key <= 1000; key++) {
      grants.add(key, LockMode.READ, key, 0);
    }
    grants.clear();
    assertEquals(first, grants.capacity());
    assertEquals(0, grants.size());
    assertEquals(-1, grants.find(7));
  }
}
