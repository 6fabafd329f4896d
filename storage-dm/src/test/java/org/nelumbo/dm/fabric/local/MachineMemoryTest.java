package org.nelumbo.dm.fabric.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the memory limit of a process as computed from files of Linux. */
class MachineMemoryTest {
  private static final long MEGABYTE = 1L << 20;
  @TempDir private Path root;

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private void machine(long totalMegabytes, long availableMegabytes) throws IOException {
    write(
        "proc/meminfo",
        "MemTotal:       "
            + totalMegabytes * 1024
            + " kB\nMemFree: 1 kB\nMemAvailable:   "
            + availableMegabytes * 1024
            + " kB");
  }

  private void check(long limitMegabytes, long availableMegabytes) {
    MachineMemory memory = new MachineMemory(root);
    assertEquals(limitMegabytes * MEGABYTE, memory.limitBytes());
    assertEquals(availableMegabytes * MEGABYTE, memory.availableBytes());
  }

  @Test
  void shouldBeThatOfTheMachineWithoutGroups() throws IOException {
    machine(1000, 600);
    check(1000, 600);
  }

  @Test
  void shouldBeThatOfTheTightestGroupOfVersionTwo() throws IOException {
    machine(1000, 600);
    write("proc/self/cgroup", "0::/a/b");
    write("sys/fs/cgroup/a/b/memory.max", "max");
    write("sys/fs/cgroup/a/memory.max", "" + 300 * MEGABYTE);
    write("sys/fs/cgroup/a/memory.current", "" + 250 * MEGABYTE);
    write("sys/fs/cgroup/a/memory.stat", "anon 7\ninactive_file " + 50 * MEGABYTE);
    check(300, 100);
  }

  @Test
  void shouldBeThatOfAContainerWhichSeesItsGroupAsTheOutermost() throws IOException {
    machine(1000, 600);
    write("proc/self/cgroup", "0::/../../somewhere");
    write("sys/fs/cgroup/memory.max", "" + 200 * MEGABYTE);
    write("sys/fs/cgroup/memory.current", "" + 20 * MEGABYTE);
    MachineMemory memory = new MachineMemory(root);
    assertTrue(memory.limitBytes() >= 200 * MEGABYTE);
    write("proc/self/cgroup", "0::/");
    check(200, 180);
  }

  @Test
  void shouldBeThatOfAGroupOfVersionOne() throws IOException {
    machine(1000, 600);
    write("proc/self/cgroup", "5:devices:/x\n4:cpu,memory:/docker/1\n0::/");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    write("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "" + 400 * MEGABYTE);
    write("sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", "" + 390 * MEGABYTE);
    write("sys/fs/cgroup/memory/docker/1/memory.stat", "total_inactive_file " + 15 * MEGABYTE);
    check(400, 25);
  }

  @Test
  void shouldBeUnboundedWithoutSystemFiles() {
    MachineMemory memory = new MachineMemory(root);
    assertEquals(MachineMemory.UNBOUNDED, memory.limitBytes());
    assertEquals(MachineMemory.UNBOUNDED, memory.availableBytes());
  }

  @Test
  void shouldPopulateOnlyAvailableMemory() throws IOException {
    machine(1000, 80);
    CommittedMemory memory =
        CommittedMemory.of(LocalMemory.reserve(32 * MEGABYTE), new MachineMemory(root));
    try {
      assertEquals(16 * MEGABYTE, memory.availableBytes());
      assertFalse(memory.takeAll());
      assertTrue(memory.populate(4096, 12 * MEGABYTE));
      assertFalse(memory.populate(12 * MEGABYTE, 17 * MEGABYTE));
      machine(1000, 64);
      assertTrue(memory.populate(12 * MEGABYTE, 4 * MEGABYTE));
      assertFalse(memory.populate(16 * MEGABYTE, MEGABYTE));
      machine(1000, 200);
      assertTrue(memory.populate(16 * MEGABYTE, MEGABYTE));
      assertTrue(memory.takeAll());
      machine(1000, 0);
      assertTrue(memory.populate(20 * MEGABYTE, 4 * MEGABYTE));
    } finally {
      memory.release();
    }
  }
}
