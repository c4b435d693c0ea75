package io.cloudkon.core.aws.ec2;

/**
 * One version of a launch template, as far as launches depend on it. Immutable.
 *
 * @param id such as {@code lt-0abc}
 * @param version a number
 * @param type its instance type; empty if it has none
 * @param endsOnShutdown whether an instance that powers off ends, and does not merely stop
 * @param metadataTags whether an instance can read its own tags
 * @param tagsSpotRequests whether it has tags for Spot requests, with which on-demand launches fail
 */
public record LaunchTemplate(
    String id,
    String version,
    String type,
    boolean endsOnShutdown,
    boolean metadataTags,
    boolean tagsSpotRequests) {}
