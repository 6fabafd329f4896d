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
 * URL of a pool on memory nodes, as a command line has it. A secret that it does not name is taken
 * from the environment variable {@value #SECRET_VARIABLE}.
 */
public final class RemotePoolUrl {
  private static final Logger LOG = LoggerFactory.getLogger(RemotePoolUrl.class);

  /** How such a URL begins. */
  static final String PREFIX = "jdbc:nelumbo://";

  /** How one begins whose nodes do verbs by RDMA; they are asked over TCP all the same. */
  private static final String RDMA_PREFIX = "jdbc:nelumbo:rdma://";

  /** Where the secret of memory nodes is taken from. */
  static final String SECRET_VARIABLE = "NELUMBO_SECRET";

  private final String text;
  private final CommandLine command;

  /**
   * A URL.
   *
   * @param command whose parameter it is
   * @throws ParameterException if it is that of something else
   */
  public RemotePoolUrl(String text, CommandLine command) {
    this.text = text;
    this.command = command;
    if (!text.startsWith(PREFIX) && !text.startsWith(RDMA_PREFIX)) {
      throw new ParameterException(
          command, "'" + text + "' names no memory nodes; write " + PREFIX + "HOST:PORT/NAME");
    }
  }

  /** {@code HOST:PORT} of each memory node, unchecked. */
  public List<String> nodes() {
    String rest = text.substring(text.indexOf("//") + 2);
    return List.of(rest.replaceAll("[/?].*", "").split(",", -1));
  }

  /** Properties for a JDBC connection besides those of the URL. */
  Properties properties() {
    return secretFor(text);
  }

  /** Properties of a process that is a guest or not, unless the URL says which. */
  Properties properties(boolean isGuest) {
    return properties(text, isGuest);
  }

  /** Properties besides those of a URL of any pool, of a process that is a guest or not. */
  static Properties properties(String url, boolean isGuest) {
    Properties properties = secretFor(url);
    if (!Pattern.compile("(?i)[?&;]guest=").matcher(url).find()) {
      properties.setProperty("guest", Boolean.toString(isGuest));
    }
    return properties;
  }

  /** The secret of the environment, unless a URL names another. */
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
   * How to ask the memory nodes themselves.
   *
   * @param who asks
   * @throws ParameterException if a file that the URL names cannot be used
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
   * The device by which verbs are done; null if they are sent over TCP.
   *
   * @throws ParameterException if the URL names something else
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
   * What the compute nodes that share a pool agree on, as the first memory node says that has it;
   * null if none does. Disturbs nobody.
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
        LOG.debug("memory node {} does not say who shares the pool: {}", node, e.getMessage());
      }
    }
    return null;
  }

  /** As people may see it. */
  @Override
  public String toString() {
    return text.replaceAll("(?i)(password=)[^&;]*", "$1...");
  }
}
