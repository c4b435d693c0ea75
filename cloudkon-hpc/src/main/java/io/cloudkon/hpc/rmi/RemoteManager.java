package io.cloudkon.hpc.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** {@link ManagerPort} on the wire. Gang and secret come first: {@link CallGate} reads them. */
interface RemoteManager extends Remote {
  Welcome register(String gang, String secret, Registration registration) throws RemoteException;

  Standing report(String gang, String secret, Report report) throws RemoteException;
}
