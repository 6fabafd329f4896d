package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proves that a statement fails with 53100 if its temporary files do not fit on the disk, and that
 * its session continues.
 */
@Timeout(180)
class FullDiskTest {
  @Test
  void shouldFailStatementsWhenDiskIsFull(@TempDir Path directory)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -f 200; exec \"$@\"", // 100 or 200 KiB, depending on the shell
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Dnelumbo.tempDir=" + directory,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FullDisk.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
  }
}
