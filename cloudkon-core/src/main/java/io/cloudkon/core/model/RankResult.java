package io.cloudkon.core.model;

/**
 * How one rank of an HPC job ended. Immutable; the arrays are never written to.
 *
 * @param rank from 0
 * @param worker the worker on which it ran
 * @param exitCode of a command; 0 for everything else
 * @param stdout the beginning of what it wrote; of a handler, of what it returned
 * @param stderr the beginning of what it wrote there
 */
public record RankResult(int rank, String worker, int exitCode, byte[] stdout, byte[] stderr) {}
