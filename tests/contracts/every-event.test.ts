import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { envelope, producerOf, subjectOf } from '@atrium/proto-events/event';
import { defineAuditEvent } from '@atrium/proto-events/events/audit';
import { FANOUT, NOT_FANNED_OUT } from '@atrium/proto-events/live-updates/fanout';
import { LIVE_PRODUCERS } from '@atrium/proto-events/nats-users';
import { describe, expect, it } from '@jest/globals';
import { exists, read, SERVICE_FOLDERS } from './sources.ts';

const cases = ALL_EVENTS.map((event) => [subjectOf(event), event] as const);
const fanoutSubjects = FANOUT.map(({ event }) => subjectOf(event));

describe('every event', () => {
  it.each(cases)('has a fan-out row or a documented reason not to have one: %s', (subject) => {
    const exemption = NOT_FANNED_OUT[subject];
    expect(fanoutSubjects.filter((row) => row === subject)).toHaveLength(exemption === undefined ? 1 : 0);
    if (exemption !== undefined) expect(exemption.length).toBeGreaterThan(10);
  });

  it.each(cases)('has a sample that its row can fan out: %s', (subject) => {
    expect(exists(`proto-events/fixtures/${subject}.json`)).toBe(true);
    const { data } = envelope.parse(JSON.parse(read(`proto-events/fixtures/${subject}.json`)));
    const row = FANOUT.find(({ event }) => subjectOf(event) === subject);
    if (!row) return;
    const updates = row.toUpdates(data);
    expect(updates.length).toBeGreaterThan(0);
    for (const { audience, change } of updates) {
      expect(audience !== 'everyone' || change.tags.length > 0).toBe(true);
      expect(change.id).toMatch(/^(?:[0-9a-f]{24}|all)$/);
    }
  });

  it.each(cases)('is published by an existing service, or by all of them in the audit log: %s', (_subject, event) => {
    const producer = producerOf(event);
    expect(SERVICE_FOLDERS).toContain(producer === 'audit' ? event.type.split('.')[1] : producer);
  });
});

it.each(SERVICE_FOLDERS)('every service has an audit event for denials: %s', (service) => {
  expect(ALL_EVENTS.map(({ type }) => type)).toContain(defineAuditEvent(service).type);
});

describe('the producers of live updates', () => {
  it('are exactly the producers of the fan-out rows', () => {
    const producers = new Set(FANOUT.map(({ event }) => producerOf(event)));
    expect([...LIVE_PRODUCERS].sort()).toEqual([...producers].sort());
  });

  it('have a stable order, because positions depend on it', () => {
    const stableOrder = ['users', 'projects', 'meetings', 'documents', 'chat', 'auth'];
    expect(LIVE_PRODUCERS.slice(0, stableOrder.length)).toEqual(stableOrder);
  });
});

it('the fan-out table has no rows for unknown events', () => {
  const knownSubjects = new Set(cases.map(([subject]) => subject));
  expect([...fanoutSubjects, ...Object.keys(NOT_FANNED_OUT)].filter((subject) => !knownSubjects.has(subject))).toEqual(
    [],
  );
});
