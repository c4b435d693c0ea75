/**
 * RMI between a job's manager and its sub-workers: one {@link io.cloudkon.hpc.rmi.Endpoint} and one
 * open port per worker, {@link io.cloudkon.hpc.rmi.Stubs} to call the others, {@link
 * io.cloudkon.hpc.rmi.Secrets} to decide who may call.
 *
 * <p>There is no registry: an endpoint is a single exported object, which callers address by the
 * well-known object number 0. So nobody can bind an object, no stub is ever transferred, there is
 * no distributed garbage collection, and {@code java.rmi.server.hostname} has no effect. Before RMI
 * sees a byte of a call, {@link io.cloudkon.hpc.rmi.CallGate} has checked the call's head, its gang
 * and its secret, and inserted the object's real number. Before RMI sees a byte of an answer,
 * {@link io.cloudkon.hpc.rmi.AnswerGate} has read it with an allow-list. Both implement version 2
 * of RMI's documented wire protocol.
 */
@NullMarked
package io.cloudkon.hpc.rmi;

import org.jspecify.annotations.NullMarked;
