import { type EventDefinition, producerOf, subjectOf } from '@atrium/proto-events/event';
import type { RecordedEvent } from '@atrium/test-kit/coverage-records';

type EventVersion = Pick<EventDefinition, 'type' | 'version'>;

export function getPublisher(event: EventVersion): string {
  const producer = producerOf(event);
  return producer === 'audit' ? (event.type.split('.')[1] ?? '') : producer;
}

/**
 * Returns whether this version of an event must be published: the newest released one, because pods of the previous
 * release handle no newer one (docs/decisions/0021), or the newest one of a new event.
 */
function isExpected(
  { type, version }: EventVersion,
  events: readonly EventVersion[],
  released: ReadonlySet<string>,
): boolean {
  const versions = events.filter((other) => other.type === type);
  const releasedVersions = versions.filter((other) => released.has(subjectOf(other)));
  const candidates = releasedVersions.length > 0 ? releasedVersions : versions;
  return version === Math.max(...candidates.map((other) => other.version));
}

const isPublished = (event: EventVersion, published: readonly RecordedEvent[]): boolean =>
  published.some(({ service, subject }) => service === getPublisher(event) && subject === subjectOf(event));

export function findUnpublished(
  events: readonly EventVersion[],
  published: readonly RecordedEvent[],
  released: ReadonlySet<string> = new Set(),
): string[] {
  return events.filter((event) => isExpected(event, events, released) && !isPublished(event, published)).map(subjectOf);
}

export function findPrematurelyPublished(
  events: readonly EventVersion[],
  published: readonly RecordedEvent[],
  released: ReadonlySet<string>,
): string[] {
  const hasEarlierRelease = ({ type, version }: EventVersion) =>
    events.some((other) => other.type === type && other.version < version && released.has(subjectOf(other)));
  return events
    .filter((event) => !released.has(subjectOf(event)) && hasEarlierRelease(event) && isPublished(event, published))
    .map(subjectOf);
}
