package org.nelumbo.benchmark.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Downloads a driver and its dependencies through Maven, so that the user's settings (mirrors,
 * proxies, credentials) apply.
 */
public final class DriverDownload {
  /** System property for the directory of the Maven wrapper, set by the launcher. */
  public static final String HOME_PROPERTY = "nelumbo.home";

  private final String maven;

  /**
   * Creates a download with the wrapper in this directory, or with {@code mvn} of the path if it
   * has none.
   */
  public DriverDownload(String home) {
    Path wrapper = Path.of(home, "mvnw");
    this.maven = !home.isEmpty() && Files.isExecutable(wrapper) ? wrapper.toString() : "mvn";
  }

  /**
   * Downloads the driver of a peer into a directory, which is created.
   *
   * @throws IOException if Maven cannot be run or fails; its output appears on the console
   */
  public void fetch(Peer peer, Path folder) throws IOException, InterruptedException {
    Path project = Files.createTempDirectory("nelumbo-driver");
    Path pom = project.resolve("pom.xml");
    try {
      Files.writeString(pom, pom(peer));
      Files.createDirectories(folder);
      Process process =
          new ProcessBuilder(
                  maven,
                  "-q",
                  "-B",
                  "-ntp",
                  "-f",
                  pom.toString(),
                  "dependency:copy-dependencies",
                  "-DincludeScope=runtime",
                  "-DoutputDirectory=" + folder.toAbsolutePath())
              .inheritIO()
              .start();
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException("Maven could not fetch " + peer.driver() + ", status " + status);
      }
    } finally {
      Files.deleteIfExists(pom);
      Files.deleteIfExists(project);
    }
  }

  private static String pom(Peer peer) throws IOException {
    List<String> parts = List.of(peer.driver().split(":"));
    try (InputStream in = DriverDownload.class.getResourceAsStream("driver-pom.xml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("${group}", parts.get(0))
          .replace("${artifact}", parts.get(1))
          .replace("${version}", parts.get(2));
    }
  }
}
