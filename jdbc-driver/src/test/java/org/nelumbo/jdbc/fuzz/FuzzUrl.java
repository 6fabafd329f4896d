package org.nelumbo.jdbc.fuzz;

import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;

/** Generates random URLs and properties: valid ones, nearly valid ones, and absurd ones. */
public final class FuzzUrl {
  private static final String PREFIX = "jdbc:nelumbo:";

  private static final List<String> KEYS =
      List.of(
          "isolation",
          "protocol",
          "conflict",
          "lockTimeout",
          "queryTimeout",
          "snapshotRetention",
          "memory",
          "create",
          "minCopies",
          "witness",
          "poolId",
          "insecure",
          "tlsKey",
          "tlsCertificate",
          "maxStatementMemory",
          "nodes",
          "replicas",
          "recover",
          "recordCache",
          "versions",
          "counters",
          "schema",
          "user",
          "password",
          "tls",
          "tlsTrust",
          "MEMORY",
          "Schema",
          "colour",
          "",
          " ",
          "memory ");

  private static final List<String> VALUES =
      List.of(
          "",
          " ",
          "0",
          "1",
          "2",
          "-1",
          "+1",
          "1.5",
          "true",
          "false",
          "serializable",
          "snapshot",
          "SNAPSHOT",
          "lotus",
          "motor",
          "wait-die",
          "no-wait",
          "force",
          "safe",
          "PUBLIC",
          "nowhere",
          "\"",
          "'",
          "5s",
          "500ms",
          "10m",
          "24h",
          "9999999999999999h",
          "99999999999999999999",
          "9223372036854775807",
          "9223372036854775808",
          "9223372036854775807ms",
          "64m",
          "8m",
          "1k",
          "1b",
          "16g",
          "16777216t",
          "8388608t",
          "8388607t",
          "9..9g",
          "0x10",
          "\u0661m",
          "1e3",
          "4 g",
          "999",
          "257",
          "256",
          "64",
          "65",
          "16",
          "17",
          "\0",
          "\ud800",
          "x".repeat(5000),
          "/dev/null",
          "/nowhere/at/all",
          "\0/x",
          "%00",
          "..",
          "{",
          "[",
          "(",
          "\\",
          "a=b");

  /** Paths at which no pool can be created. All other paths lie inside the folder of the run. */
  private static final List<String> IMPOSSIBLE_PATHS =
      List.of(
          "",
          "\0",
          "/dev/null",
          "/dev/null/x",
          "/dev/full",
          "/proc/self/mem",
          "/proc/1/x",
          "/sys/kernel",
          "/nowhere/at/all",
          "/etc/passwd/x",
          "\ud800");

  private static final List<String> LOCATIONS =
      List.of(
          "mem:",
          "mem:?",
          "mem",
          "MEM:",
          "mem:\0",
          "mem:x y",
          "",
          ":",
          "?",
          "//",
          "///",
          "/",
          "//h",
          "//h/",
          "///n",
          "//127.0.0.1/n",
          "//127.0.0.1:/n",
          "//127.0.0.1:x/n",
          "//127.0.0.1:0/n",
          "//127.0.0.1:1/n",
          "//127.0.0.1:-1/n",
          "//127.0.0.1:65536/n",
          "//127.0.0.1:99999999999/n",
          "//127.0.0.1:1,127.0.0.1:1/n",
          "//,/n",
          "//127.0.0.1:1,/n",
          "//[::1]:1/n",
          "//[::1/n",
          "//[]:1/n",
          "//:1/n",
          "//\0:1/n",
          "//256.256.256.256:1/n",
          "//127.0.0.1:1/\0",
          "//127.0.0.1:1/a/b",
          "//a b:1/n",
          "//127.0.0.1:1:1/n",
          "//-:1/n");

  private final SplittableRandom random;
  private final Path folder;

  /**
   * Creates a generator.
   *
   * @param folder folder of all pools that can be created
   */
  public FuzzUrl(SplittableRandom random, Path folder) {
    this.random = random;
    this.folder = folder;
  }

  private String one(List<String> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** Returns a URL whose pool, if it can be created, is in the folder or in memory. */
  public String url() {
    String url;
    do {
      url = anyUrl();
    } while (!staysInside(url));
    return url;
  }

  private boolean staysInside(String url) {
    String shared = PREFIX + "shm:";
    if (!url.startsWith(shared)) {
      return true;
    }
    int question = url.indexOf('?');
    String path = url.substring(shared.length(), question < 0 ? url.length() : question);
    return IMPOSSIBLE_PATHS.contains(path)
        || path.startsWith(folder + "/") && !path.contains("..") && !path.endsWith("/");
  }

  private String anyUrl() {
    StringBuilder url = new StringBuilder(PREFIX).append(location());
    int pairs = random.nextInt(4);
    for (int i = 0; i < pairs; i++) {
      url.append(i == 0 ? '?' : random.nextBoolean() ? '&' : ';').append(one(KEYS));
      if (random.nextInt(10) > 0) {
        url.append('=').append(one(VALUES));
      }
    }
    if (random.nextInt(20) == 0) {
      int at = random.nextInt(PREFIX.length(), url.length() + 1);
      url.insert(at, one(VALUES));
    }
    return url.toString();
  }

  private String location() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> "mem:";
      case 2 -> "shm:" + one(IMPOSSIBLE_PATHS);
      case 3 -> "shm:" + folder.resolve(one(List.of("a", "b", "a/b", "\u00e4")));
      default -> one(LOCATIONS);
    };
  }

  /** Returns properties, some of whose keys or values may not be strings, or null. */
  public Properties properties() {
    if (random.nextInt(3) == 0) {
      return random.nextBoolean() ? null : new Properties();
    }
    Properties properties = new Properties();
    for (int i = random.nextInt(4); i > 0; i--) {
      properties.put(one(KEYS), random.nextInt(10) == 0 ? (Object) 7 : one(VALUES));
    }
    if (random.nextInt(10) == 0) {
      properties.put(new Object(), "a key that is no text");
    }
    return properties;
  }
}
