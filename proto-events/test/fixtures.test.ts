import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALL_EVENTS } from '../src/all-events.ts';
import { envelope, producerOf, subjectOf } from '../src/event.ts';
import { natsUsers } from '../src/nats-users.ts';

const SERVICES = natsUsers('atrium').map(({ user }) => user);
const FOLDER = new URL('../fixtures/', import.meta.url);
const files = readdirSync(FOLDER);
const fixture = (subject: string): unknown => JSON.parse(readFileSync(new URL(`${subject}.json`, FOLDER), 'utf8'));

describe('the events', () => {
  it('are all there, each version under a subject of its own', () => {
    const subjects = ALL_EVENTS.map(subjectOf);
    expect(subjects.length).toBeGreaterThan(20);
    expect(new Set(subjects).size).toBe(subjects.length);
  });

  it.each(ALL_EVENTS.map((event) => [subjectOf(event), event] as const))(
    'have a sample that parses and loses nothing: %s',
    (subject, event) => {
      const sample = envelope.strict().parse(fixture(subject));
      expect({ type: sample.type, version: sample.version }).toEqual({ type: event.type, version: event.version });
      expect(event.data.parse(sample.data)).toEqual(sample.data);
    },
  );

  it.each(ALL_EVENTS.map((event) => [event.type, event] as const))(
    'are named after their service, the entity and what happened to it: %s',
    (type, event) => {
      expect(type).toMatch(/^[a-z]+\.[a-z]+\.[a-z]+$/);
      expect([...SERVICES, 'audit']).toContain(producerOf(event));
      expect(event.version).toBeGreaterThan(0);
    },
  );

  it('refuse data without any fact', () => {
    for (const event of ALL_EVENTS) expect([event.type, event.data.safeParse({}).success]).toEqual([event.type, false]);
  });
});

/** What an event has gained since it was frozen is shown by a sample beside the first: `<subject>.<what>.json`. */
const LATER = /^([a-z.]+\.v\d+)\.([a-z-]+)\.json$/;

it.each(files.filter((file) => LATER.test(file)))('has a later sample that parses and loses nothing: %s', (file) => {
  const event = ALL_EVENTS.find((one) => subjectOf(one) === LATER.exec(file)?.[1]);
  const sample = envelope.strict().parse(fixture(file.replace('.json', '')));
  expect(event?.data.parse(sample.data)).toEqual(sample.data);
});

it('keeps a sample of nothing that is no event', () => {
  const known = new Set(ALL_EVENTS.map((event) => `${subjectOf(event)}.json`));
  expect(files.filter((file) => !known.has(file.replace(LATER, '$1.json')))).toEqual([]);
});
