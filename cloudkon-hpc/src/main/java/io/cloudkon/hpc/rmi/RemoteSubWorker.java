package io.cloudkon.hpc.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * {@link SubWorkerPort} on the wire. Gang and secret come first: {@link CallGate} reads them. No
 * method is void, because {@link AnswerGate} detects the end of an answer by its value.
 */
interface RemoteSubWorker extends Remote {
  boolean ping(String gang, String secret) throws RemoteException;

  Standing start(String gang, String secret, StartRanks start) throws RemoteException;

  boolean kill(String gang, String secret, KillRanks kill) throws RemoteException;

  boolean dissolve(String gang, String secret) throws RemoteException;

  boolean deliver(String gang, String secret, RankMessage message) throws RemoteException;
}
