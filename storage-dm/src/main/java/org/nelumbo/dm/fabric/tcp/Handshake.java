package org.nelumbo.dm.fabric.tcp;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import javax.net.ssl.SSLException;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolLoadingException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolVacantException;

/**
 * Opens connections to one memory node: connects, agrees on the version, then attaches, joins or
 * requests the status. Each request contains a proof that this process knows the secret, and the
 * response proves the same for the node. Error messages name the node.
 */
final class Handshake {
  private static final String NO_NODE = "this is not a Nelumbo memory node";
  private static final int CONNECT_MILLIS = 5_000;
  private static final int REPLY_MILLIS = 10_000;

  /**
   * Timeout of the query whether this compute node was fenced, which delays the report of a
   * failure.
   */
  private static final int QUESTION_MILLIS = 5_000;

  /**
   * Maximum length of a response: the status of a node that the maximum number of compute nodes
   * share.
   */
  private static final int REPLY_LENGTH_MAX = 256 << 10;

  /** Timeout of queries that delay others. */
  static final int SHORT_MILLIS = 1_000;

  private final NodeAddress address;
  private final int node;
  private final Secrets secrets;

  private int connectMillis = CONNECT_MILLIS;
  private int replyMillis = REPLY_MILLIS;

  /** Name of this process, as the node reports it to others. */
  private String asking = "";

  /** Null if connections are not encrypted. */
  private final Tls tls;

  Handshake(NodeAddress address, int node, TcpOptions options) {
    this.address = address;
    this.node = node;
    this.secrets = options.security().secrets();
    this.tls = options.security().tls();
  }

  /**
   * Response of a memory node to attach and join requests.
   *
   * @param wire underlying connection; closing it ends the connection at once
   * @param socket socket for the protocol; the same as the wire, unless it is encrypted
   * @param logId id of the pool whose log the node keeps on a disk; 0 if it keeps none
   * @param isRdma true if verbs are executed by queue pairs, and not sent over such connections
   */
  record Attached(
      Socket wire,
      Socket socket,
      long epoch,
      long nodeBytes,
      long leaseNanos,
      long logId,
      boolean isRdma) {
    /**
     * Sends a request and waits for its response, which is DONE or DECLINED; one at a time.
     *
     * @param frame request, without its sequence and length
     * @param lengthMax maximum length of the response
     * @throws IOException if another response arrives, or none
     */
    ByteBuffer exchange(ByteBuffer frame, long sequence, int lengthMax) throws IOException {
      frame.putLong(Wire.SEQUENCE_OFFSET, sequence);
      Wire.end(frame);
      socket.getOutputStream().write(Wire.array(frame), 0, frame.limit());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      ByteBuffer header = Wire.buffer(Wire.HEADER_LENGTH);
      in.readFully(Wire.array(header));
      int length = header.getInt(0);
      byte type = header.get(Wire.TYPE_OFFSET);
      if (length < Wire.HEADER_LENGTH
          || length > lengthMax
          || header.getLong(Wire.SEQUENCE_OFFSET) != sequence
          || (type != Wire.DONE && type != Wire.DECLINED)) {
        throw new IOException("received an unexpected response type=" + type + " length=" + length);
      }
      ByteBuffer reply = Wire.buffer(length).put(header);
      in.readFully(Wire.array(reply), Wire.HEADER_LENGTH, length - Wire.HEADER_LENGTH);
      return reply;
    }

    void close() {
      Handshake.close(wire);
    }
  }

  /** Thrown if the secret is wrong; another one may be right. */
  private static final class WrongSecretException extends Exception {
    private static final long serialVersionUID = 1L;

    WrongSecretException(String message) {
      super(message);
    }
  }

  private interface Reader<T> {
    T read(Socket wire, Socket socket, ByteBuffer reply);
  }

  /** Attaches to the node as its only compute node; fails if it serves another one. */
  Attached attach(long tenant, String owner, long incarnation) {
    asking = owner;
    ByteBuffer request = request(Wire.ATTACH).putLong(tenant).putLong(incarnation);
    Wire.putText(request, owner);
    return attach(request);
  }

  /**
   * Attaches to a node that serves several compute nodes.
   *
   * @throws PoolVacantException if the node serves no compute node
   */
  Attached enter(long tenant, String name) {
    asking = name;
    ByteBuffer request = request(Wire.ENTER).putLong(tenant);
    Wire.putText(request, name);
    return attach(request);
  }

  /** Attaches to a node of a shared pool, whether or not the node serves other compute nodes. */
  Attached rejoin(long tenant, String name) {
    asking = name;
    ByteBuffer request = request(Wire.REJOIN).putLong(tenant);
    Wire.putText(request, name);
    return attach(request);
  }

  /** Opens another connection of a tenant. */
  Attached join(long tenant) {
    return attach(request(Wire.JOIN).putLong(tenant));
  }

  /** Opens a connection of a tenant for frames of the node's log. */
  Attached log(long tenant) {
    return attach(request(Wire.LOG).putLong(tenant));
  }

  /** Opens a connection of a tenant for messages to other compute nodes. */
  Attached peer(long tenant, PeerId self) {
    return attach(
        request(Wire.PEER).putLong(tenant).putLong(self.node()).putLong(self.incarnation()));
  }

  /**
   * Returns true if the node has fenced a tenant; also returns false if the node does not respond.
   */
  boolean isFenced(long tenant) {
    connectMillis = SHORT_MILLIS;
    replyMillis = QUESTION_MILLIS;
    try {
      join(tenant).close();
      return false;
    } catch (RevokedException e) {
      return true;
    } catch (PoolOpenException e) {
      return false;
    }
  }

  private Attached attach(ByteBuffer request) {
    return ask(
        request,
        Wire.ATTACHED,
        (wire, socket, reply) ->
            new Attached(
                wire,
                socket,
                reply.getLong(),
                reply.getLong(),
                reply.getLong(),
                reply.getLong(),
                reply.hasRemaining() && reply.getLong() == Wire.VERBS_BY_RDMA));
  }

  /** Returns the address of the node. */
  String name() {
    return address.toString();
  }

  /** Sets short timeouts, for requests whose response is optional. */
  Handshake impatient() {
    connectMillis = SHORT_MILLIS;
    replyMillis = SHORT_MILLIS;
    return this;
  }

  /** Reads the status of the node, in lines of {@code key=value}. */
  String status() {
    return ask(
        request(Wire.STATUS),
        Wire.STATUS_IS,
        (wire, socket, reply) -> {
          close(wire);
          return Wire.getText(reply);
        });
  }

  /**
   * Reads the description that the node offers before an attach; does not affect its compute nodes.
   */
  NodeReply header() {
    return ask(
        request(Wire.HEADER),
        Wire.HEADER_IS,
        (wire, socket, reply) -> {
          close(wire);
          long bytes = reply.getLong();
          long silentNanos = reply.getLong();
          byte[] header = new byte[Math.clamp(reply.getInt(), 0, reply.remaining())];
          reply.get(header);
          String poolName = Wire.getText(reply);
          long logId = reply.getLong();
          long leaseNanos = reply.hasRemaining() ? reply.getLong() : 0;
          String loading = reply.hasRemaining() ? printable(Wire.getText(reply)) : "";
          return new NodeReply(bytes, silentNanos, header, poolName, logId, leaseNanos, loading);
        });
  }

  /**
   * Reads the cluster configuration; empty if the node has none. Does not affect its compute nodes.
   */
  byte[] configuration() {
    return ask(
        request(Wire.CONFIGURATION),
        Wire.CONFIGURATION_IS,
        (wire, socket, reply) -> {
          close(wire);
          return Wire.getBytes(reply);
        });
  }

  /** Sends a request of agreement to the node as an acceptor; does not affect its compute nodes. */
  byte[] agree(byte[] asked) {
    ByteBuffer request = request(Wire.AGREE, asked.length);
    Wire.putBytes(request, asked);
    return ask(
        request,
        Wire.AGREE_IS,
        (wire, socket, reply) -> {
          close(wire);
          return Wire.getBytes(reply);
        });
  }

  private static ByteBuffer request(byte type) {
    return request(type, 0);
  }

  private static ByteBuffer request(byte type, int bytes) {
    ByteBuffer frame = Wire.buffer((3 << 10) + bytes);
    Wire.begin(frame, type);
    return frame.put(new byte[Wire.PROOF_LENGTH]);
  }

  private <T> T ask(ByteBuffer request, byte wanted, Reader<T> reader) {
    Wire.end(request);
    List<String> known = secrets.current();
    for (int i = 0; ; i++) {
      try {
        return ask(known.isEmpty() ? "" : known.get(i), request, wanted, reader);
      } catch (WrongSecretException e) {
        if (i + 1 >= known.size()) {
          throw refused(e.getMessage());
        }
      }
    }
  }

  private <T> T ask(String secret, ByteBuffer request, byte wanted, Reader<T> reader)
      throws WrongSecretException {
    Socket wire = connect();
    try {
      Socket socket = secured(wire);
      Transcript transcript = new Transcript(Tls.binding(socket));
      byte[] key = greet(socket, secret, transcript);
      request.put(Wire.HEADER_LENGTH, new byte[Wire.PROOF_LENGTH]);
      transcript.add(request);
      request.put(Wire.HEADER_LENGTH, transcript.proofOfClient(key));
      ByteBuffer reply = ask(socket, request, wanted);
      transcript.addWithoutProof(reply);
      byte[] proof = new byte[Wire.PROOF_LENGTH];
      reply.position(Wire.HEADER_LENGTH).get(proof);
      if (!MessageDigest.isEqual(proof, transcript.proofOfNode(key))) {
        throw new IOException(
            "it cannot prove the secret that it demands: it is not the expected memory node");
      }
      return reader.read(wire, socket, reply);
    } catch (IOException | RuntimeException e) {
      throw failed(wire, e);
    } catch (WrongSecretException | Error e) {
      close(wire);
      throw e;
    }
  }

  private Socket secured(Socket wire) throws IOException {
    return tls == null ? wire : tls.connect(wire, address);
  }

  private Socket connect() {
    Socket socket = new Socket();
    try {
      LinkOptions.set(socket);
      socket.connect(new InetSocketAddress(address.host(), address.port()), connectMillis);
      socket.setSoTimeout(replyMillis);
      return socket;
    } catch (IOException e) {
      close(socket);
      throw new PoolOpenException(
          "cannot reach memory node "
              + node
              + " at "
              + address
              + ": "
              + e.getMessage()
              + "; is it running? Start it with: nelumbo memory-node --listen "
              + address,
          e);
    }
  }

  private byte[] greet(Socket socket, String secret, Transcript transcript)
      throws IOException, WrongSecretException {
    ByteBuffer frame = Wire.buffer(64);
    Wire.begin(frame, Wire.HELLO);
    frame.putInt(Wire.MAGIC).putInt(Wire.VERSION).put(Nonce.make(Wire.NONCE_LENGTH));
    transcript.add(Wire.end(frame));
    ByteBuffer reply = ask(socket, frame, Wire.WELCOME);
    transcript.add(reply);
    byte[] salt = new byte[Wire.SALT_LENGTH];
    reply.position(Wire.HEADER_LENGTH + Wire.NONCE_LENGTH).get(salt);
    boolean isDemanded = (reply.getLong() & Wire.SECRET_DEMANDED) != 0;
    if (secret.isEmpty()) {
      return new byte[0];
    }
    if (!isDemanded) {
      throw refusal(
          "demands no secret, and so cannot prove its identity: start it with the secret"
              + " (NELUMBO_SECRET, --secret-file), or omit password= and secretFile=");
    }
    return secrets.key(secret, salt);
  }

  private ByteBuffer ask(Socket socket, ByteBuffer frame, byte wanted)
      throws IOException, WrongSecretException {
    socket.getOutputStream().write(Wire.array(frame), 0, frame.limit());
    DataInputStream in = new DataInputStream(socket.getInputStream());
    ByteBuffer header = Wire.buffer(Wire.HEADER_LENGTH);
    in.readFully(Wire.array(header));
    int length = header.getInt(0);
    if (length < Wire.HEADER_LENGTH || length > REPLY_LENGTH_MAX) {
      throw new IOException(NO_NODE);
    }
    ByteBuffer reply = Wire.buffer(length).put(header);
    in.readFully(Wire.array(reply), Wire.HEADER_LENGTH, length - Wire.HEADER_LENGTH);
    byte type = reply.get(Wire.TYPE_OFFSET);
    if (type == Wire.REFUSED) {
      if (reply.getShort(Wire.COUNT_OFFSET) == Wire.WRONG_SECRET) {
        throw new WrongSecretException(printable(Wire.getText(reply)));
      }
      throw refusalIn(reply);
    }
    if (type != wanted) {
      throw new IOException(NO_NODE);
    }
    return reply.rewind();
  }

  /** Returns the exception for a REFUSED or DECLINED frame, whose position is behind the header. */
  PoolOpenException refusalIn(ByteBuffer reply) {
    short reason = reply.getShort(Wire.COUNT_OFFSET);
    String why = printable(Wire.getText(reply));
    String owner = reply.remaining() < Integer.BYTES ? "" : printable(Wire.getText(reply));
    switch (reason) {
      case Wire.REVOKED -> {
        return new RevokedException(refused(why).getMessage());
      }
      case Wire.VACANT -> {
        return new PoolVacantException(refused(why).getMessage());
      }
      case Wire.BROKEN -> {
        return new PoolOpenException(refused(why).getMessage(), new IOException(why));
      }
      case Wire.LOADING -> {
        return new PoolLoadingException("memory node " + node + " at " + address + " " + why);
      }
      case Wire.SHARED -> {
        return PoolInUseException.ofShared(refused(why).getMessage(), owner);
      }
      default -> {
        return owner.isEmpty()
            ? refused(why)
            : new PoolInUseException(refused(why).getMessage(), owner, owner.equals(asking));
      }
    }
  }

  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private PoolOpenException refused(String why) {
    return refusal("refuses: " + why);
  }

  private PoolOpenException refusal(String what) {
    return new PoolOpenException("memory node " + node + " at " + address + " " + what);
  }

  private PoolOpenException failed(Socket socket, Exception e) {
    close(socket);
    if (e instanceof PoolOpenException refusal) {
      return refusal;
    }
    String why = e instanceof EOFException ? "it closes the connection" : e.getMessage();
    if (e instanceof IndexOutOfBoundsException || e instanceof BufferUnderflowException) {
      why = "it does not speak the protocol";
    }
    if (e instanceof EOFException && tls == null) {
      why += ": it is not a Nelumbo memory node, has just stopped, or has too many new connections";
    }
    // a node that rejects the certificate may have closed before this side has read the reason
    if (e instanceof SSLException || (tls != null && e instanceof SocketException)) {
      why +=
          "; the URL has tls=true: does the node use TLS, and is its certificate trusted"
              + " (tlsTrust=) and issued for this host name? Does it require a client"
              + " certificate (tlsCert=, tlsKey=)?";
    }
    return new PoolOpenException(
        "cannot use memory node " + node + " at " + address + ": " + why, e);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // the socket is discarded in any case
    }
  }
}
