package io.cloudkon.worker.reply;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.List;

/**
 * What one message carries: some results of one bundle, or the reason why the whole of it fails.
 *
 * @param tasks their positions in the bundle
 * @param bytes about how many bytes they take
 */
record Piece(BundleInHand inHand, Positions tasks, List<TaskResult> results, int bytes) {}
