package io.cloudkon.worker.notice;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.protocol.notice.NoticeEvent;
import io.cloudkon.core.protocol.notice.NoticeMachine;
import io.cloudkon.worker.imds.MetadataService;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the metadata service's announcements about its instance. An answer that cannot be parsed
 * counts as no announcement and is logged once for each path. Used by one thread at a time.
 */
final class Announcements {
  private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);
  private static final String INTERRUPTION = "spot/instance-action";
  private static final String REBALANCE = "events/recommendations/rebalance";
  private static final String MAINTENANCE = "events/maintenance/scheduled";
  private static final String LIFE_CYCLE = "autoscaling/target-lifecycle-state";
  private static final Set<String> OVER = Set.of("completed", "canceled", "cancelled");

  /** The date format of maintenance events, such as {@code 21 Jan 2019 09:00:43 GMT}. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMM yyyy HH:mm:ss zzz", Locale.ENGLISH);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final MetadataService metadata;
  private final Set<String> unreadable = new HashSet<>();
  private final Set<String> silent = new HashSet<>();

  Announcements(MetadataService metadata) {
    this.metadata = metadata;
  }

  /**
   * Reads all current announcements, the most urgent first. An interruption is read first and
   * reported even if other reads fail. A path that is refused or times out counts as unknown.
   *
   * @throws IOException if the service does not answer
   */
  List<NoticeEvent> read() throws IOException, InterruptedException {
    List<NoticeEvent> all = new ArrayList<>();
    json(INTERRUPTION, metadata.get(INTERRUPTION))
        .filter(said -> said.path("action").isTextual())
        .ifPresent(said -> all.add(new NoticeEvent.Interruption(end(said))));
    if (asked(LIFE_CYCLE).text().filter("Terminated"::equals).isPresent()) {
      all.add(new NoticeEvent.Interruption(NoticeMachine.NEVER));
    }
    json(REBALANCE, asked(REBALANCE).text())
        .filter(said -> said.path("noticeTime").isTextual())
        .ifPresent(said -> all.add(new NoticeEvent.Rebalance()));
    Answer maintenance = asked(MAINTENANCE);
    if (maintenance.known() && maintenance.text().isEmpty()) {
      all.add(new NoticeEvent.Maintenance(List.of()));
    } else {
      json(MAINTENANCE, maintenance.text())
          .ifPresent(said -> all.add(new NoticeEvent.Maintenance(notBefore(said))));
    }
    return all;
  }

  /**
   * The content of a path.
   *
   * @param known whether the service has answered
   */
  private record Answer(boolean known, Optional<String> text) {}

  private Answer asked(String path) throws InterruptedException {
    try {
      return new Answer(true, metadata.quietly(path));
    } catch (IOException e) {
      if (silent.add(path)) {
        LOG.warn("the instance metadata service does not answer for {}: {}", path, e);
      }
      return new Answer(false, Optional.empty());
    }
  }

  private Optional<JsonNode> json(String path, Optional<String> text) {
    return text.flatMap(said -> parsed(path, said));
  }

  private Optional<JsonNode> parsed(String path, String answer) {
    try {
      return Optional.of(JSON.readTree(answer));
    } catch (JsonProcessingException e) {
      unreadable(path, e);
      return Optional.empty();
    }
  }

  /** The end of the instance. An instance that is to end without a given time ends soon. */
  private long end(JsonNode said) {
    try {
      return Instant.parse(said.path("time").asText()).toEpochMilli();
    } catch (DateTimeException e) {
      unreadable(INTERRUPTION, e);
      return NoticeMachine.NEVER;
    }
  }

  private List<Long> notBefore(JsonNode events) {
    List<Long> dates = new ArrayList<>();
    for (JsonNode event : events) {
      if (OVER.contains(event.path("State").asText().toLowerCase(Locale.ROOT))) {
        continue;
      }
      try {
        String date = event.path("NotBefore").asText();
        dates.add(ZonedDateTime.parse(date, DATE).toInstant().toEpochMilli());
      } catch (DateTimeException e) {
        unreadable(MAINTENANCE, e);
      }
    }
    return dates;
  }

  private void unreadable(String path, Exception why) {
    if (unreadable.add(path)) {
      LOG.warn(
          "the instance metadata service returned an unreadable answer at {}, which is ignored: {}",
          path,
          String.valueOf(why.getMessage()).lines().findFirst().orElse(""));
    }
  }
}
