package org.nelumbo.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.nelumbo.database.open.NodePool;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.CommittedMemory;
import org.nelumbo.dm.fabric.local.HugePages;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.MachineMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.dm.fabric.shm.KeptMemory;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.AttachProgress;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.dm.replication.view.FreshHeader;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.error.NelumboException;
import org.nelumbo.metrics.MemoryNodeHealth;
import org.nelumbo.metrics.MemoryNodeMetrics;
import org.nelumbo.metrics.PrometheusEndpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo memory-node}: runs a memory node as a process, until a signal stops it. Exit
 * status: 0 stopped in order, 2 wrong usage, 3 the address or the memory cannot be used.
 */
@Command(
    name = "memory-node",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Runs a memory node: memory that compute nodes reach over TCP.",
    footer = {
      "",
      "Without --data, the memory is lost when the process ends. The secret, if any, is",
      "read from --secret-file or from the environment variable NELUMBO_SECRET; clients",
      "pass it as secretFile=... or password=... A node that listens for other machines",
      "needs a secret (or --client-ca) and a certificate (--tls-cert, --tls-key), or the",
      "option --insecure."
    })
final class MemoryNodeCommand implements Callable<Integer> {
  private static final int MEGABYTE_BITS = 20;
  private static final long GIGABYTE = 1L << 30;
  private static final long NANOS_A_MILLI = 1_000_000L;
  private static final long PROGRESS_NANOS = 5_000_000_000L;

  /** File of the memory in the data directory. */
  private static final String MEMORY = "node";

  /** Subdirectory with the log of a durable node. */
  private static final String LOG = "pool";

  /** File of the node's votes in the data directory. */
  private static final String VOTES = "votes";

  /** Minimum size: a smaller node has no room for a pool and its catalog. */
  private static final long BYTES_MIN = 1L << 20;

  private static final long BYTES_MAX = 1L << PoolAddress.OFFSET_BITS;

  private static final int LEASE_SECONDS_MIN = 3;

  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:7420",
      description = "Address on which the node listens (default: ${DEFAULT-VALUE}).")
  private String listen;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Size, such as 512m or 4g (default: 4g, or the size of the existing data).")
  private String memory;

  @Option(
      names = "--preallocate",
      paramLabel = "WHEN",
      defaultValue = "AUTO",
      description =
          "When the operating system allocates the memory: always at the start, and the node does"
              + " not start without it; auto: at the start if enough is available; never: on first"
              + " use (default: auto).")
  private Preallocation preallocation;

  /** When the memory is allocated from the operating system. */
  enum Preallocation {
    ALWAYS,
    AUTO,
    NEVER
  }

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep the memory in a file in this directory, so that it outlives the process.")
  private Path data;

  @Option(
      names = "--durable",
      description =
          "Write each commit to a log in the directory of --data before it becomes visible. The"
              + " pool survives a power failure, and is loaded into memory at the start of the"
              + " node, or, if it has copies, by the compute node that opens it. The memory is"
              + " in a file in /dev/shm if there is enough space.")
  private boolean durable;

  @Option(
      names = "--archive",
      paramLabel = "DIR",
      description =
          "Copy each full log file of a durable node to this directory, for restoring the pool to a"
              + " point in time. Each node needs its own directory.")
  private Path archive;

  @Option(
      names = "--witness",
      description =
          "Store no data; only vote with the memory nodes of a pool on which of them continue when"
              + " some cannot be reached. Clients name it in the URL as witness=HOST:PORT.")
  private boolean witness;

  @Option(
      names = "--rdma",
      paramLabel = "DEVICE[:GID]",
      description =
          "Make the memory accessible over RDMA; all of it is locked. Clients still connect to"
              + " --listen first. The URL is jdbc:nelumbo:rdma://HOST:PORT/NAME.")
  private String rdma;

  @Option(
      names = "--lease",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "Another compute node can take over from one that has sent nothing for this time"
              + " (default: ${DEFAULT-VALUE}).")
  private int leaseSeconds;

  @Option(
      names = "--drain-timeout",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long a node that is signalled to stop, and has the last live copy of a pool in use,"
              + " waits until another node has a copy or the pool is closed (default: 30s; 0s with"
              + " --data, where nothing is lost).")
  private Duration drainTimeout;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "Certificate of this node and its certificate chain, in PEM format; enables encryption.")
  private Path tlsCertificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Private key of the certificate, PKCS #8 in PEM format.")
  private Path tlsKey;

  @Option(
      names = "--client-ca",
      paramLabel = "FILE",
      description =
          "Certificate authorities in PEM format; clients need a certificate signed by one of"
              + " them.")
  private Path clientCertificates;

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "File with the secret on its first line; a second line can hold its successor. Changes of"
              + " the file take effect at once.")
  private Path secretFile;

  @Option(
      names = "--insecure",
      description =
          "Listen for other machines even without a secret or encryption: any client that reaches"
              + " the port may read and write all data, or the traffic can be intercepted.")
  private boolean insecure;

  @Option(
      names = "--metrics",
      paramLabel = "HOST:PORT",
      description = "Serve http://HOST:PORT/metrics for Prometheus, and /health and /ready.")
  private String metrics;

  /** Null if the memory ends with the process. */
  private KeptMemory kept;

  /**
   * The memory into which a durable node loads its pool; null if it does not load the pool itself.
   */
  private LocalFabric loaded;

  @Override
  public Integer call() throws InterruptedException {
    NodeAddress address = address(listen);
    NodeAddress metricsAddress = metrics == null ? null : address(metrics);
    long bytes = memory == null ? 0 : bytes(memory);
    if (leaseSeconds < LEASE_SECONDS_MIN) {
      throw new ParameterException(
          spec.commandLine(),
          "--lease is at least " + LEASE_SECONDS_MIN + " seconds, not " + leaseSeconds);
    }
    if (witness && rdma != null) {
      throw new ParameterException(
          spec.commandLine(), "a witness has no data: omit --rdma or --witness");
    }
    if (witness && memory != null) {
      throw new ParameterException(
          spec.commandLine(), "a witness has no data: omit --memory or --witness");
    }
    if (durable && (witness || data == null)) {
      throw new ParameterException(
          spec.commandLine(),
          witness
              ? "a witness has no data: omit --durable or --witness"
              : "--durable needs a directory for its log: name one with --data DIR");
    }
    if (archive != null && !durable) {
      throw new ParameterException(
          spec.commandLine(), "--archive is for the log of a durable node: add --durable");
    }
    try (MemoryNode node = open(address, bytes);
        PrometheusEndpoint endpoint = endpoint(metricsAddress, node)) {
      boolean isEmpty = durable && !Files.exists(data.resolve(LOG));
      if (isEmpty) {
        load(node); // loads before it serves requests
      }
      node.start();
      if (durable && !isEmpty) {
        load(node); // until it is done, a signal ends the process
      }
      Runtime.getRuntime().addShutdownHook(new Thread(node::close));
      serve(node, endpoint);
      return ExitStatus.DONE;
    } catch (IOException
        | PoolOpenException
        | IllegalStateException
        | DamagedFilesException
        | NelumboException
        | RedoFailedException e) {
      spec.commandLine().getErr().println("nelumbo: cannot run a memory node: " + e.getMessage());
      return ExitStatus.NO_DATABASE;
    }
  }

  private void serve(MemoryNode node, PrometheusEndpoint endpoint) throws InterruptedException {
    try (NodeDrain _ = new NodeDrain(node, drainTimeout(), spec.commandLine().getErr())) {
      say(
          witness
              ? "witness listens at " + node.address()
              : "memory node with " + node.bytes() + " bytes listens at " + node.address());
      if (rdma != null) {
        say("its memory is served by RDMA device " + node.rdmaDevice());
        warnOfSmallPages(node);
      }
      if (endpoint != null) {
        say("metrics are at http://" + endpoint.address() + "/metrics");
      }
      node.awaitClose();
      if (kept != null && kept.isWanted()) {
        say(
            "its memory stays in "
                + kept.path()
                + " for the next start; remove that file if the node will not be started again");
      }
    }
  }

  /**
   * Warns of small pages: a device must translate the page of each verb, and caches few
   * translations.
   */
  private void warnOfSmallPages(MemoryNode node) {
    long huge = node.hugeBytes();
    if (huge != HugePages.UNKNOWN && huge < node.bytes() / 2) {
      warn(
          (huge >> MEGABYTE_BITS)
              + " of "
              + (node.bytes() >> MEGABYTE_BITS)
              + " MiB are in huge pages, and verbs are slower on small pages: write madvise to"
              + " /sys/kernel/mm/transparent_hugepage/enabled (for --data in /dev/shm, always to"
              + " shmem_enabled there), free some memory, and start the node again");
    }
  }

  private Duration drainTimeout() {
    if (drainTimeout != null) {
      return drainTimeout;
    }
    return data == null ? DRAIN_TIMEOUT : Duration.ZERO;
  }

  private static PrometheusEndpoint endpoint(NodeAddress address, MemoryNode node)
      throws IOException {
    try {
      return address == null
          ? null
          : new PrometheusEndpoint(
              address, new MemoryNodeHealth(node), new MemoryNodeMetrics(node));
    } catch (IOException e) {
      throw new IOException(unusable(e, address) + " (--metrics)", e);
    }
  }

  private NodeAddress address(String text) {
    try {
      return NodeAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private long bytes(String text) {
    if (!text.matches("\\d{1,12}[kmgtKMGT]?")) {
      throw new ParameterException(
          spec.commandLine(), "'" + text + "' is not a size; write for example 512m or 4g");
    }
    int unit = "kmgt".indexOf(Character.toLowerCase(text.charAt(text.length() - 1))) + 1;
    long number = Long.parseLong(unit == 0 ? text : text.substring(0, text.length() - 1));
    if (number > BYTES_MAX >> (10 * unit) || number << (10 * unit) < BYTES_MIN) {
      throw new ParameterException(
          spec.commandLine(), "a memory node has from 1m to 1t of memory, not " + text);
    }
    return number << (10 * unit);
  }

  private MemoryNode open(NodeAddress address, long bytes) throws IOException {
    MemoryNode.Options options =
        MemoryNode.Options.DEFAULT
            .withSecrets(secrets())
            .withLeaseNanos(leaseSeconds * 1_000_000_000L)
            .withTls(tls())
            .withRdma(rdma())
            .withVotes(data == null ? null : data.resolve(VOTES));
    options = witness ? options.asWitness() : options;
    checkSecure(address, options);
    NodeMemory region = region(bytes);
    try {
      Environment environment = new SystemEnvironment();
      return durable
          ? openDurable(environment, region, address, options)
          : new MemoryNode(environment, region, address, options);
    } catch (IOException e) {
      region.release();
      throw new IOException(unusable(e, address) + " (--listen)", e);
    } catch (RuntimeException | Error e) {
      region.release();
      throw e;
    }
  }

  /** Opens a memory node that reports its progress until {@link #load} has ended. */
  private MemoryNode openDurable(
      Environment environment, NodeMemory region, NodeAddress address, MemoryNode.Options options)
      throws IOException {
    LocalFabric memory = new LocalFabric(new NodeMemory[] {region});
    try (Channel channel = memory.openChannel(NodeHeaderLayout.LENGTH)) {
      FreshHeader.write(channel, region.leftBytes(), environment.randomLong());
    }
    loaded = hasPartInCopies() ? null : memory;
    return new MemoryNode(environment, region, address, options, MemoryNodeCommand::progress);
  }

  private static String progress() {
    return AttachProgress.underWay().stream()
        .map(load -> load.state().toString())
        .findFirst()
        .orElse("it has just started");
  }

  /** Opens the log, and loads its contents into the memory unless a compute node does that. */
  private void load(MemoryNode node) throws IOException {
    Environment environment = new SystemEnvironment();
    Thread.ofPlatform().daemon().name("nelumbo-progress").start(() -> showProgress(node));
    Disk disk = DirectoryDisk.open(data.resolve(LOG), "memory node, process " + pid());
    NodeLog log = null;
    boolean isLoaded = false;
    try {
      long start = environment.nanoTime();
      int loaders = Runtime.getRuntime().availableProcessors();
      log =
          AttachProgress.track(
              environment,
              disk.location(),
              () -> {
                AttachProgress.report(AttachProgress.Phase.LOADING, 0);
                return NodePool.open(environment, disk, redoOptions(), loaded, loaders);
              });
      if (loaded != null && PoolFormat.isComplete(loaded)) {
        long millis = (environment.nanoTime() - start) / NANOS_A_MILLI;
        say("loaded the pool in " + millis + " ms from " + disk.location());
      }
      node.loaded(log);
      isLoaded = true;
    } finally {
      if (!isLoaded && log != null) {
        log.abandon();
      } else if (!isLoaded) {
        disk.close();
      }
    }
  }

  private void showProgress(MemoryNode node) {
    while (true) {
      LockSupport.parkNanos(PROGRESS_NANOS);
      String progress = node.loading();
      if (progress == null) {
        return;
      }
      say(node.address() + " is loading its pool: " + progress);
    }
  }

  private void say(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text);
    out.flush();
  }

  private RedoOptions redoOptions() {
    String owner = "memory node, as its archive, process " + pid();
    return archive == null
        ? RedoOptions.DEFAULT
        : RedoOptions.DEFAULT.withNodeArchive(() -> DirectoryDisk.openAnywhere(archive, owner));
  }

  private static long pid() {
    return ProcessHandle.current().pid();
  }

  private DeviceName rdma() {
    if (rdma == null) {
      return null;
    }
    if (tlsKey != null) {
      warn("RDMA verbs are not encrypted: TLS protects only the TCP connections that set them up");
    }
    try {
      return DeviceName.parse(rdma);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * Returns the secrets from the file or the environment; an empty environment variable is an
   * error.
   */
  private Secrets secrets() throws IOException {
    String variable = System.getenv(RemotePoolUrl.SECRET_VARIABLE);
    if (variable != null && variable.isBlank()) {
      throw new ParameterException(
          spec.commandLine(),
          RemotePoolUrl.SECRET_VARIABLE + " is set but empty: set it to the secret, or unset it");
    }
    if (secretFile != null && variable != null) {
      throw new ParameterException(
          spec.commandLine(),
          "the secret is in "
              + RemotePoolUrl.SECRET_VARIABLE
              + " and in --secret-file: omit one of them");
    }
    Secrets secrets =
        secretFile != null
            ? Secrets.ofFile(secretFile)
            : Secrets.of(variable == null ? "" : variable);
    if (secrets.isWeak()) {
      warn(
          "a secret has fewer than "
              + Secrets.STRONG_LENGTH
              + " characters: an attacker who intercepts a handshake can guess it; use a longer"
              + " one, for example from: openssl rand -base64 24");
    }
    return secrets;
  }

  private void warn(String text) {
    spec.commandLine().getErr().println("nelumbo: warning: " + text);
  }

  /** Rejects listening for other machines without authentication or without encryption. */
  private void checkSecure(NodeAddress address, MemoryNode.Options options) {
    if (insecure || isLoopback(address)) {
      return;
    }
    List<String> missing = new ArrayList<>();
    if (options.secrets().isEmpty() && clientCertificates == null) {
      missing.add("secret (--secret-file FILE, or " + RemotePoolUrl.SECRET_VARIABLE + ")");
    }
    if (options.tls() == null) {
      missing.add("encryption (--tls-cert FILE --tls-key FILE)");
    }
    if (!missing.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--listen "
              + address
              + " can be reached from other machines, and there is no "
              + String.join(" and no ", missing)
              + ": add it, listen on 127.0.0.1, or use --insecure if no other machine can reach the"
              + " port");
    }
  }

  /**
   * Returns true for a loopback address, and for an unknown host, which is rejected later with the
   * reason.
   */
  private static boolean isLoopback(NodeAddress address) {
    try {
      return InetAddress.getByName(address.host()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return true;
    }
  }

  /** Returns the reason why the node cannot listen at an address. */
  static String unusable(IOException why, NodeAddress address) {
    if (why instanceof UnknownHostException) {
      return "there is no host " + address.host() + ": name an address of this machine";
    }
    String text = why.getMessage() + " at " + address;
    return why instanceof BindException
        ? text
            + ": choose another port, or an address that this machine has, or stop the process that"
            + " uses it"
        : text;
  }

  private Tls tls() throws IOException {
    if ((tlsCertificate == null) != (tlsKey == null)) {
      throw new ParameterException(
          spec.commandLine(), "TLS needs both --tls-cert and --tls-key, or neither");
    }
    if (clientCertificates != null && tlsKey == null) {
      throw new ParameterException(
          spec.commandLine(), "--client-ca is for TLS: it needs --tls-cert and --tls-key, too");
    }
    return tlsKey == null ? null : Tls.ofNode(tlsCertificate, tlsKey, clientCertificates);
  }

  private NodeMemory anonymous(long bytes) throws IOException {
    return committed(bytes, () -> LocalMemory.reserve(bytes));
  }

  /**
   * Opens memory that survives the kill of the process, so that the next one need only compare it
   * with other copies; falls back to memory of this process alone.
   */
  private NodeMemory kept(long bytes) throws IOException {
    MemoryNode.hasVoted(new SystemEnvironment(), data.resolve(VOTES)); // throws if it is damaged
    try {
      kept = KeptMemory.open(KeptMemory.PLACE, data, bytes, this::hasPartInCopies);
    } catch (IOException e) {
      warn(
          "the memory ends with this process, and a restart has to copy all of it again: "
              + e.getMessage());
      return anonymous(bytes);
    }
    boolean isUsed = false;
    try {
      NodeMemory memory = committed(bytes, () -> kept);
      isUsed = true;
      return memory;
    } finally {
      if (!isUsed) {
        kept.release();
      }
    }
  }

  /**
   * Returns true if the contents of the memory will be compared with other copies after a restart.
   */
  private boolean hasPartInCopies() {
    try {
      return MemoryNode.hasVoted(new SystemEnvironment(), data.resolve(VOTES));
    } catch (IOException e) {
      return false; // a restart would fail
    }
  }

  /** Maps memory, and allocates it immediately or on first use. */
  private NodeMemory committed(long bytes, Supplier<NodeMemory> mapped) throws IOException {
    MachineMemory machine = MachineMemory.ofSystem();
    long limit = machine.limitBytes();
    if (bytes > limit && preallocation != Preallocation.NEVER) {
      throw new IOException(
          bytes
              + " bytes were requested, and the machine or the cgroup of this process has "
              + limit
              + ": choose a smaller --memory, or use --preallocate never if the pool will use less"
              + " than that");
    }
    CommittedMemory region = CommittedMemory.of(mapped.get(), machine);
    if (preallocation == Preallocation.NEVER || region.takeAll()) {
      return region;
    }
    String missing =
        "the system has "
            + region.availableBytes()
            + " bytes available, not the "
            + bytes
            + " of --memory";
    if (preallocation == Preallocation.ALWAYS) {
      region.release();
      throw new IOException(
          missing + ": choose a smaller size, free some memory, or omit --preallocate");
    }
    warn(
        missing
            + "; it is allocated on first use, and statements fail with 53200 when it runs out");
    return region;
  }

  private NodeMemory region(long bytes) throws IOException {
    if (data == null) {
      return anonymous(witness ? BYTES_MIN : bytes == 0 ? 4 * GIGABYTE : bytes);
    }
    try {
      Files.createDirectories(
          data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      throw new IOException("--data " + data + " is a file: name a directory", e);
    } catch (IOException e) {
      throw new IOException("cannot create the directory --data " + data + ": " + e, e);
    }
    if (witness) {
      return anonymous(BYTES_MIN);
    }
    if (durable) {
      checkNoMemoryFile();
      long wanted = bytes == 0 ? 4 * GIGABYTE : bytes;
      return rdma == null ? kept(wanted) : anonymous(wanted);
    }
    if (Files.exists(data.resolve(LOG))) {
      throw new IOException(
          "--data " + data + " has the log of a durable memory node: add --durable");
    }
    return SharedMemory.openNode(data.resolve(MEMORY), bytes, 4 * GIGABYTE);
  }

  /** Rejects a directory with a memory file, whose contents would be ignored. */
  private void checkNoMemoryFile() throws IOException {
    Path file = data.resolve(MEMORY);
    if (Files.exists(file)) {
      throw new IOException(
          "--data "
              + data
              + " has the memory of a node that was not durable, which --durable does not read:"
              + " name another directory, and copy the data with nelumbo backup and restore");
    }
  }
}
