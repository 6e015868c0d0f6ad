import { type EventDefinition, producerOf, subjectOf } from '@atrium/proto-events/event';
import type { NotedEvent } from '@atrium/test-kit/evidence';

type Told = Pick<EventDefinition, 'type' | 'version'>;

/** The service that tells an event; those of the security log name theirs behind `audit.`. */
export function tellerOf(event: Told): string {
  const producer = producerOf(event);
  return producer === 'audit' ? (event.type.split('.')[1] ?? '') : producer;
}

/** The subjects of events whose service never published their newest version while its tests ran. */
export function findUnpublished(events: readonly Told[], published: readonly NotedEvent[]): string[] {
  const isNewest = ({ type, version }: Told) =>
    events.every((other) => other.type !== type || other.version <= version);
  const isPublished = (event: Told) =>
    published.some(({ service, subject }) => service === tellerOf(event) && subject === subjectOf(event));
  return events.filter((event) => isNewest(event) && !isPublished(event)).map(subjectOf);
}
