import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALL_EVENTS } from '../src/all-events.ts';
import { envelope, producerOf, subjectOf } from '../src/event.ts';
import { natsUsers } from '../src/nats-users.ts';

const SERVICES = natsUsers('atrium').map(({ user }) => user);
const FOLDER = new URL('../fixtures/', import.meta.url);
const files = readdirSync(FOLDER);
const readFixture = (subject: string): unknown => JSON.parse(readFileSync(new URL(`${subject}.json`, FOLDER), 'utf8'));

describe('every event', () => {
  it('is listed, and each version has a unique subject', () => {
    const subjects = ALL_EVENTS.map(subjectOf);
    expect(subjects.length).toBeGreaterThan(20);
    expect(new Set(subjects).size).toBe(subjects.length);
  });

  it.each(ALL_EVENTS.map((event) => [subjectOf(event), event] as const))(
    'has a sample that parses without loss: %s',
    (subject, event) => {
      const sample = envelope.strict().parse(readFixture(subject));
      expect({ type: sample.type, version: sample.version }).toEqual({ type: event.type, version: event.version });
      expect(event.data.parse(sample.data)).toEqual(sample.data);
    },
  );

  it.each(ALL_EVENTS.map((event) => [event.type, event] as const))(
    'is named after its service, entity, and action: %s',
    (type, event) => {
      expect(type).toMatch(/^[a-z]+\.[a-z]+\.[a-z]+$/);
      expect([...SERVICES, 'audit']).toContain(producerOf(event));
      expect(event.version).toBeGreaterThan(0);
    },
  );

  it('rejects empty data', () => {
    for (const event of ALL_EVENTS) expect([event.type, event.data.safeParse({}).success]).toEqual([event.type, false]);
  });
});

/** Fields added after an event was frozen are covered by an additional sample: `<subject>.<label>.json`. */
const ADDITIONAL_SAMPLE = /^([a-z.]+\.v\d+)\.([a-z-]+)\.json$/;

it.each(files.filter((file) => ADDITIONAL_SAMPLE.test(file)))('additional sample %s parses without loss', (file) => {
  const event = ALL_EVENTS.find((candidate) => subjectOf(candidate) === ADDITIONAL_SAMPLE.exec(file)?.[1]);
  const sample = envelope.strict().parse(readFixture(file.replace('.json', '')));
  expect(event?.data.parse(sample.data)).toEqual(sample.data);
});

it('every sample belongs to an event', () => {
  const sampleNames = new Set(ALL_EVENTS.map((event) => `${subjectOf(event)}.json`));
  expect(files.filter((file) => !sampleNames.has(file.replace(ADDITIONAL_SAMPLE, '$1.json')))).toEqual([]);
});
