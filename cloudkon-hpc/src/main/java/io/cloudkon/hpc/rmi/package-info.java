/**
 * RMI between a job's manager and its sub-workers: one {@link io.cloudkon.hpc.rmi.Endpoint} and one
 * open port per worker, {@link io.cloudkon.hpc.rmi.Stubs} to call the others, {@link
 * io.cloudkon.hpc.rmi.Secrets} for who may.
 *
 * <p>There is no registry: an endpoint is one exported object, reached under the well-known object
 * number 0, so nobody can bind anything, no stub ever crosses the wire, no distributed garbage
 * collection takes place, and {@code java.rmi.server.hostname} is of no importance. Before RMI sees
 * a byte of a call, {@link io.cloudkon.hpc.rmi.CallGate} has checked the call's head, its gang and
 * its secret, and put the object's real number in; before RMI sees a byte of an answer, {@link
 * io.cloudkon.hpc.rmi.AnswerGate} has read it by an allow-list. Both read the documented wire
 * protocol of RMI, as it has been since version 2 of it.
 */
@NullMarked
package io.cloudkon.hpc.rmi;

import org.jspecify.annotations.NullMarked;
