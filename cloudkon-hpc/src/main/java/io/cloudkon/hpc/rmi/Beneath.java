package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * The plain connection beneath a TLS socket. The creator of the input decides how long a read
 * waits.
 */
final class Beneath extends Socket {
  private final Socket connection;
  private final InputStream in;
  private final OutputStream out;

  Beneath(Socket connection, InputStream in, OutputStream out) {
    this.connection = connection;
    this.in = in;
    this.out = out;
  }

  @Override
  public InputStream getInputStream() {
    return in;
  }

  @Override
  public OutputStream getOutputStream() {
    return out;
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isBound() {
    return true;
  }

  @Override
  public boolean isClosed() {
    return connection.isClosed();
  }

  @Override
  public InetAddress getInetAddress() {
    return connection.getInetAddress();
  }

  @Override
  public int getPort() {
    return connection.getPort();
  }

  @Override
  public InetAddress getLocalAddress() {
    return connection.getLocalAddress();
  }

  @Override
  public int getLocalPort() {
    return connection.getLocalPort();
  }

  @Override
  public void setSoTimeout(int millis) {}

  @Override
  public int getSoTimeout() {
    return 0;
  }

  @Override
  public void setTcpNoDelay(boolean on) {}

  @Override
  public int getSoLinger() {
    return -1;
  }

  @Override
  public boolean isInputShutdown() {
    return connection.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return connection.isOutputShutdown();
  }

  @Override
  public void shutdownInput() {}

  @Override
  public void shutdownOutput() throws IOException {
    connection.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
