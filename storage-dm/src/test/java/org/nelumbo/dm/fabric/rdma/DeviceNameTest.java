package org.nelumbo.dm.fabric.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeviceNameTest {
  @Test
  void shouldReadDeviceAndGid() {
    assertEquals(new DeviceName("mlx5_0", -1, VerbsProvider.IBVERBS), DeviceName.parse("mlx5_0"));
    assertEquals(new DeviceName("mlx5_0", 3, VerbsProvider.IBVERBS), DeviceName.parse("mlx5_0:3"));
    assertEquals(DeviceName.ANY, DeviceName.parse(""));
  }

  @Test
  void shouldRejectInvalidDeviceNames() {
    for (String text : new String[] {"a b", "mlx5_0:", "mlx5_0:-1", "mlx5_0:256", "a:b", "a:1:2"}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> DeviceName.parse(text));
      assertTrue(e.getMessage().contains("write DEVICE"), e.getMessage());
    }
  }
}
