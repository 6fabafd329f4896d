package org.nelumbo.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ParameterSetTest {
  private final ParameterSet parameters = new ParameterSet(3);

  @Test
  void shouldReturnFirstUnsetParameter() {
    assertEquals(0, parameters.firstUnset());
    parameters.setLong(0, 7);
    parameters.setObject(2, "a");
    assertEquals(1, parameters.firstUnset());
    parameters.setNull(1);
    assertEquals(-1, parameters.firstUnset());
    parameters.clear();
    assertEquals(0, parameters.firstUnset());
  }

  @Test
  void shouldKeepNumbersObjectsAndNulls() {
    parameters.setLong(0, 7);
    parameters.setObject(1, "a");
    parameters.setObject(2, null);
    assertTrue(parameters.isLong(0));
    assertEquals(7, parameters.longAt(0));
    assertFalse(parameters.isLong(1));
    assertFalse(parameters.isNull(1));
    assertEquals("a", parameters.objectAt(1));
    assertTrue(parameters.isNull(2));
    assertNull(parameters.objectAt(2));
  }

  @Test
  void shouldForgetAnObjectThatBecomesNull() {
    parameters.setObject(1, "a");
    parameters.setNull(1);
    assertTrue(parameters.isNull(1));
    assertNull(parameters.objectAt(1));
  }

  @Test
  void shouldCopyValuesOfAnotherSet() {
    ParameterSet saved = new ParameterSet(3);
    parameters.setLong(0, 7);
    parameters.setObject(1, "a");
    saved.copyFrom(parameters);
    parameters.setNull(0);
    parameters.setLong(2, 9);
    parameters.copyFrom(saved);
    assertEquals(7, parameters.longAt(0));
    assertEquals("a", parameters.objectAt(1));
    assertEquals(2, parameters.firstUnset());
  }
}
