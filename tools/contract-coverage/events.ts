import { type EventDefinition, producerOf, subjectOf } from '@atrium/proto-events/event';
import type { RecordedEvent } from '@atrium/test-kit/coverage-records';

type EventVersion = Pick<EventDefinition, 'type' | 'version'>;

/** The service that publishes an event; events of the audit log name it after `audit.`. */
export function publisherOf(event: EventVersion): string {
  const producer = producerOf(event);
  return producer === 'audit' ? (event.type.split('.')[1] ?? '') : producer;
}

/**
 * Whether the service publishes this version: the newest released one, since the previous release's pods handle no newer one
 * (docs/decisions/0021), or the newest one of a new event.
 */
function isExpected(
  { type, version }: EventVersion,
  events: readonly EventVersion[],
  released: ReadonlySet<string>,
): boolean {
  const versions = events.filter((other) => other.type === type);
  const known = versions.filter((other) => released.has(subjectOf(other)));
  const candidates = known.length > 0 ? known : versions;
  return version === Math.max(...candidates.map((other) => other.version));
}

const isPublished = (event: EventVersion, published: readonly RecordedEvent[]): boolean =>
  published.some(({ service, subject }) => service === publisherOf(event) && subject === subjectOf(event));

/** Subjects of events that their service was expected to publish but never did during its tests. */
export function findUnpublished(
  events: readonly EventVersion[],
  published: readonly RecordedEvent[],
  released: ReadonlySet<string> = new Set(),
): string[] {
  return events.filter((event) => isExpected(event, events, released) && !isPublished(event, published)).map(subjectOf);
}

/** Subjects of versions that were published although pods of the last release know only an earlier version. */
export function findPrematurelyPublished(
  events: readonly EventVersion[],
  published: readonly RecordedEvent[],
  released: ReadonlySet<string>,
): string[] {
  const hasEarlier = ({ type, version }: EventVersion) =>
    events.some((other) => other.type === type && other.version < version && released.has(subjectOf(other)));
  return events
    .filter((event) => !released.has(subjectOf(event)) && hasEarlier(event) && isPublished(event, published))
    .map(subjectOf);
}
