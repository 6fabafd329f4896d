package org.nelumbo.dm.fabric.tcp;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.net.ssl.SSLException;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Opens connections to one memory node: connects, agrees on the version, proves to know the secret,
 * then attaches, joins or asks for the status. Messages name the node.
 */
final class Handshake {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int ANSWER_MILLIS = 10_000;

  /** Of questions that others wait for. */
  private static final int SHORT_MILLIS = 1_000;

  private final NodeAddress address;
  private final int node;
  private final String secret;

  private int connectMillis = CONNECT_MILLIS;
  private int answerMillis = ANSWER_MILLIS;

  /** Who asks, as the node tells others. */
  private String asking = "";

  /** Null: nothing is encrypted. */
  private final Tls tls;

  Handshake(NodeAddress address, int node, String secret, Tls tls) {
    this.address = address;
    this.node = node;
    this.secret = secret;
    this.tls = tls;
  }

  /**
   * Answer of a memory node to attach and join.
   *
   * @param wire what the connection runs over: closing it ends the connection at once
   * @param socket to talk through; the wire itself, unless it is encrypted
   */
  record Attached(Socket wire, Socket socket, long epoch, long nodeBytes) {
    void close() {
      Handshake.close(wire);
    }
  }

  /** Takes the node over, if nobody else has it. */
  Attached attach(String owner) {
    return enter(Wire.ATTACH, 0, owner);
  }

  /** One more connection for the owner of that epoch. */
  Attached join(long epoch) {
    return enter(Wire.JOIN, epoch, "");
  }

  private Attached enter(byte type, long epoch, String owner) {
    asking = owner;
    Socket wire = connect();
    try {
      Socket socket = secured(wire);
      byte[] nonce = greet(socket);
      ByteBuffer frame = Wire.buffer(2 << 10);
      Wire.begin(frame, type);
      frame.put(Wire.proof(secret, nonce)).putLong(epoch);
      Wire.putText(frame, owner);
      ByteBuffer answer = ask(socket, frame, Wire.ATTACHED);
      return new Attached(wire, socket, answer.getLong(), answer.getLong());
    } catch (IOException | RuntimeException e) {
      throw failed(wire, e);
    }
  }

  /** Does not wait for long: for questions whose answer is not needed. */
  Handshake impatient() {
    connectMillis = SHORT_MILLIS;
    answerMillis = SHORT_MILLIS;
    return this;
  }

  /** Status of the node, in lines of {@code key=value}. */
  String status() {
    Socket wire = connect();
    try (wire) {
      Socket socket = secured(wire);
      byte[] nonce = greet(socket);
      ByteBuffer frame = Wire.buffer(64);
      Wire.begin(frame, Wire.STATUS);
      frame.put(Wire.proof(secret, nonce));
      return Wire.getText(ask(socket, frame, Wire.STATUS_IS));
    } catch (IOException | RuntimeException e) {
      throw failed(wire, e);
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
      socket.setSoTimeout(answerMillis);
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

  private byte[] greet(Socket socket) throws IOException {
    ByteBuffer frame = Wire.buffer(64);
    Wire.begin(frame, Wire.HELLO);
    frame.putInt(Wire.MAGIC).putInt(Wire.VERSION);
    byte[] nonce = new byte[Wire.NONCE_LENGTH];
    ask(socket, frame, Wire.WELCOME).get(nonce);
    return nonce;
  }

  private ByteBuffer ask(Socket socket, ByteBuffer frame, byte wanted) throws IOException {
    Wire.end(frame);
    socket.getOutputStream().write(Wire.array(frame), 0, frame.limit());
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] header = new byte[Wire.HEADER_LENGTH];
    in.readFully(header);
    int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (length < Wire.HEADER_LENGTH || length > 1 << 16) {
      throw new IOException(
          "this is not a Nelumbo memory node"
              + (tls == null ? ", or it wants TLS (tls=true)" : ""));
    }
    byte[] body = new byte[length - Wire.HEADER_LENGTH];
    in.readFully(body);
    ByteBuffer answer = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    byte type = header[Wire.TYPE_OFFSET];
    if (type == Wire.REFUSED) {
      throw refusal(answer);
    }
    if (type != wanted) {
      throw new IOException("this is not a Nelumbo memory node");
    }
    return answer;
  }

  private PoolOpenException refusal(ByteBuffer answer) {
    String why = "memory node " + node + " at " + address + " refuses: " + Wire.getText(answer);
    String owner = answer.remaining() < Integer.BYTES ? "" : Wire.getText(answer);
    return owner.isEmpty()
        ? new PoolOpenException(why)
        : new PoolInUseException(why, owner, owner.equals(asking));
  }

  private PoolOpenException failed(Socket socket, Exception e) {
    close(socket);
    if (e instanceof PoolOpenException refusal) {
      return refusal;
    }
    String why = e instanceof EOFException ? "it closes the connection" : e.getMessage();
    if (e instanceof EOFException && tls == null) {
      why += "; it wants TLS (tls=true), or has as many connections as it takes";
    }
    if (e instanceof SSLException) {
      why +=
          "; TLS is wanted here (tls=true): does the node offer it, and is its certificate"
              + " trusted here (tlsTrust=) and made for this host name?";
    }
    return new PoolOpenException(
        "cannot use memory node " + node + " at " + address + ": " + why, e);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is of no use any more in any case
    }
  }
}
