package org.nelumbo.benchmark.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** Reads the list of peers. */
public final class Peers {
  private static final String FILE = "peers.properties";

  private Peers() {}

  /** Returns all peers; Nelumbo is first. */
  public static List<Peer> all() {
    Properties properties = new Properties();
    try (InputStream in = Peers.class.getResourceAsStream(FILE)) {
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return words(properties.getProperty("peers")).stream()
        .map(name -> peer(name, properties))
        .toList();
  }

  private static Peer peer(String name, Properties properties) {
    return new Peer(
        name,
        properties.getProperty(name + ".url"),
        words(properties.getProperty(name + ".apis", "jdbc")),
        properties.getProperty(name + ".driver", ""),
        Boolean.parseBoolean(properties.getProperty(name + ".server")));
  }

  private static List<String> words(String list) {
    return Arrays.stream(list.split(",")).map(String::strip).toList();
  }
}
