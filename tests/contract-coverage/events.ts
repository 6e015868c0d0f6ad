import { type EventDefinition, producerOf, subjectOf } from '@atrium/proto-events/event';
import type { NotedEvent } from '@atrium/test-kit/coverage-records';

type Told = Pick<EventDefinition, 'type' | 'version'>;

/** The service that tells an event; those of the security log name theirs behind `audit.`. */
export function tellerOf(event: Told): string {
  const producer = producerOf(event);
  return producer === 'audit' ? (event.type.split('.')[1] ?? '') : producer;
}

/**
 * What a service tells of an event: the newest version that was released, as pods of the release before react to no newer one
 * (docs/decisions/0021); of a new event its newest.
 */
function isTold({ type, version }: Told, events: readonly Told[], released: ReadonlySet<string>): boolean {
  const versions = events.filter((other) => other.type === type);
  const known = versions.filter((other) => released.has(subjectOf(other)));
  const candidates = known.length > 0 ? known : versions;
  return version === Math.max(...candidates.map((other) => other.version));
}

const isPublished = (event: Told, published: readonly NotedEvent[]): boolean =>
  published.some(({ service, subject }) => service === tellerOf(event) && subject === subjectOf(event));

/** The subjects of events that their service never published while its tests ran, though it is to tell them. */
export function findUnpublished(
  events: readonly Told[],
  published: readonly NotedEvent[],
  released: ReadonlySet<string> = new Set(),
): string[] {
  return events.filter((event) => isTold(event, events, released) && !isPublished(event, published)).map(subjectOf);
}

/** The subjects of versions that were published although pods of the last release know an earlier one only. */
export function findTooEarly(
  events: readonly Told[],
  published: readonly NotedEvent[],
  released: ReadonlySet<string>,
): string[] {
  const hasEarlier = ({ type, version }: Told) =>
    events.some((other) => other.type === type && other.version < version && released.has(subjectOf(other)));
  return events
    .filter((event) => !released.has(subjectOf(event)) && hasEarlier(event) && isPublished(event, published))
    .map(subjectOf);
}
