package org.nelumbo.cli;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.dm.fabric.rdma.VerbsProvider;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Command line URL of a pool on memory nodes. If it does not contain a secret, the secret is taken
 * from the environment variable {@value #SECRET_VARIABLE}.
 */
public final class RemotePoolUrl {
  private static final Logger LOG = LoggerFactory.getLogger(RemotePoolUrl.class);

  /** Prefix of these URLs. */
  static final String PREFIX = "jdbc:nelumbo://";

  /**
   * Prefix of URLs of nodes that are accessed by RDMA; status requests are sent to them over TCP.
   */
  private static final String RDMA_PREFIX = "jdbc:nelumbo:rdma://";

  /** Environment variable with the secret of memory nodes. */
  static final String SECRET_VARIABLE = "NELUMBO_SECRET";

  private final String text;
  private final CommandLine command;

  /**
   * Creates a URL.
   *
   * @param command command with the URL as parameter
   * @throws ParameterException if the text is a URL of another kind
   */
  public RemotePoolUrl(String text, CommandLine command) {
    this.text = text;
    this.command = command;
    if (!text.startsWith(PREFIX) && !text.startsWith(RDMA_PREFIX)) {
      throw new ParameterException(
          command, "'" + text + "' names no memory nodes; write " + PREFIX + "HOST:PORT/NAME");
    }
  }

  /** Returns {@code HOST:PORT} of each memory node, unchecked. */
  public List<String> nodes() {
    String rest = text.substring(text.indexOf("//") + 2);
    return List.of(rest.replaceAll("[/?].*", "").split(",", -1));
  }

  /** Returns the additional properties of a JDBC connection. */
  Properties properties() {
    return secretFor(text);
  }

  /**
   * Returns the additional properties of a voting or non-voting member, unless the URL sets that
   * itself.
   */
  Properties properties(boolean isGuest) {
    return properties(text, isGuest);
  }

  /** Returns the additional properties for a URL of any pool, of a voting or non-voting member. */
  static Properties properties(String url, boolean isGuest) {
    Properties properties = secretFor(url);
    if (!Pattern.compile("(?i)[?&;]guest=").matcher(url).find()) {
      properties.setProperty("guest", Boolean.toString(isGuest));
    }
    return properties;
  }

  /** Returns the secret from the environment, unless the URL contains one. */
  static Properties secretFor(String url) {
    Properties properties = new Properties();
    String secret = System.getenv(SECRET_VARIABLE);
    boolean isNamed = Pattern.compile("(?i)[?&;](secretFile|password)=").matcher(url).find();
    if (secret != null && !isNamed) {
      properties.setProperty("password", secret);
    }
    return properties;
  }

  /**
   * Returns the options for direct requests to the memory nodes.
   *
   * @param who display name of the requesting process
   * @throws ParameterException if a file in the URL cannot be used
   */
  public TcpOptions options(String who) {
    try {
      return TcpOptions.of(who).withSecrets(secrets()).withTls(tls());
    } catch (IOException | InvalidPathException e) {
      throw new ParameterException(
          command, "a property of the URL cannot be used: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the RDMA device that performs verbs, or null if they are sent over TCP.
   *
   * @throws ParameterException if the URL names an invalid device
   */
  public DeviceName rdma() {
    try {
      return text.startsWith(RDMA_PREFIX)
          ? DeviceName.parse(property("rdmaDevice", ""))
              .with(VerbsProvider.parse(property("provider", "ibverbs")))
          : null;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  private Secrets secrets() throws IOException {
    String file = property("secretFile", "");
    String secret = System.getenv().getOrDefault(SECRET_VARIABLE, "");
    return file.isEmpty()
        ? Secrets.of(property("password", secret))
        : Secrets.ofFile(Path.of(file));
  }

  private Tls tls() throws IOException {
    return property("tls", "false").equalsIgnoreCase("true")
        ? Tls.ofClient(file("tlsTrust"), file("tlsCert"), file("tlsKey"))
        : null;
  }

  private Path file(String key) {
    String name = property(key, "");
    return name.isEmpty() ? null : Path.of(name);
  }

  private String property(String key, String otherwise) {
    Matcher matcher = Pattern.compile("(?i)[?&;]" + key + "=([^&;]*)").matcher(text);
    return matcher.find() ? matcher.group(1) : otherwise;
  }

  /**
   * Returns the configuration on which the compute nodes of a pool have agreed, from the first
   * memory node that has it; null if there is none. The request does not disturb the pool.
   */
  static ClusterConfiguration configuration(List<String> nodes, TcpOptions options) {
    for (int node = 0; node < nodes.size(); node++) {
      try {
        NodeAddress address = NodeAddress.parse(nodes.get(node));
        byte[] bytes = TcpFabric.configuration(address, node, options);
        if (bytes.length > 0) {
          return ClusterConfiguration.decode(bytes);
        }
      } catch (PoolOpenException | IllegalArgumentException e) {
        LOG.debug(
            "memory node {} does not return the members of the pool: {}", node, e.getMessage());
      }
    }
    return null;
  }

  /** Returns the URL without the password. */
  @Override
  public String toString() {
    return text.replaceAll("(?i)(password=)[^&;]*", "$1...");
  }
}
