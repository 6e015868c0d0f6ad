import { FANOUT, NOT_FANNED_OUT } from '@atrium/chat/realtime/fanout';
import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { envelope, producerOf, subjectOf } from '@atrium/proto-events/event';
import { describe, expect, it } from '@jest/globals';
import { exists, read, SERVICE_FOLDERS, sourceOf } from './sources.ts';

const cases = ALL_EVENTS.map((event) => [subjectOf(event), event] as const);
const fanned = FANOUT.map(({ event }) => subjectOf(event));

describe('every event', () => {
  it.each(cases)('has a row in the fan-out or a stated reason to have none: %s', (subject) => {
    const exemption = NOT_FANNED_OUT[subject];
    expect(fanned.filter((row) => row === subject)).toHaveLength(exemption === undefined ? 1 : 0);
    if (exemption !== undefined) expect(exemption.length).toBeGreaterThan(10);
  });

  it.each(cases)('has a sample that its row can fan out: %s', (subject) => {
    expect(exists(`proto-events/fixtures/${subject}.json`)).toBe(true);
    const { data } = envelope.parse(JSON.parse(read(`proto-events/fixtures/${subject}.json`)));
    const row = FANOUT.find(({ event }) => subjectOf(event) === subject);
    if (!row) return;
    const { rooms, changes } = row.fan(data);
    expect(rooms.length).toBeGreaterThan(0);
    expect(changes.length).toBeGreaterThan(0);
    for (const { id } of changes) expect(id).toMatch(/^[0-9a-f]{24}$/);
  });

  it.each(cases)('comes from a service that exists and appends it: %s', (_subject, event) => {
    const producer = producerOf(event);
    expect(SERVICE_FOLDERS).toContain(producer);
    const declared = read(`proto-events/src/events/${producer}.ts`);
    const name = new RegExp(`export const (\\w+) = defineEvent\\(\\s*'${event.type}',\\s*${event.version}`).exec(
      declared,
    )?.[1];
    expect(name).toBeDefined();
    expect(sourceOf(`services/${producer}/src`)).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

it('fans out nothing that is no event', () => {
  const known = new Set(cases.map(([subject]) => subject));
  expect([...fanned, ...Object.keys(NOT_FANNED_OUT)].filter((subject) => !known.has(subject))).toEqual([]);
});
