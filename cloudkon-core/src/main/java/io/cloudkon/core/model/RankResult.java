package io.cloudkon.core.model;

/**
 * The result of one rank of an HPC job. Immutable; the arrays are never written to.
 *
 * @param rank the number of the rank, from 0
 * @param worker the worker on which it ran
 * @param exitCode the exit code of a command; 0 for all other work
 * @param stdout the beginning of a command's standard output, or of a handler's output
 * @param stderr the beginning of its standard error
 */
public record RankResult(int rank, String worker, int exitCode, byte[] stdout, byte[] stderr) {}
