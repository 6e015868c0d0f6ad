import { EVIDENCE } from '@atrium/dev-server/test-runner/coverage-records';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { type NotedAnswer, type NotedEvent, readNotes } from '@atrium/test-kit/coverage-records';
import { readLock } from '../release/lock.ts';
import { findUntested } from './answers.ts';
import { findTooEarly, findUnpublished, tellerOf } from './events.ts';

// The end of `npm test`: what the API suites of the named services have seen, or those of all services.
const folder = process.env.CONTRACT_COVERAGE_DIR ?? EVIDENCE;
const named = process.argv.slice(2);
const isJudged = (service: string): boolean => named.length === 0 || named.includes(service);

const endpoints = ALL_ENDPOINTS.filter(({ service }) => isJudged(service));
const events = ALL_EVENTS.filter((event) => isJudged(tellerOf(event)));
const untested = findUntested(endpoints, readNotes<NotedAnswer>('answer', folder));
const released = new Set(Object.keys(readLock().events));
const published = readNotes<NotedEvent>('event', folder);
const unpublished = findUnpublished(events, published, released);
const early = findTooEarly(events, published, released);
for (const { call, unseen } of untested) console.log(`${call}\n      never seen to answer: ${unseen.join(', ')}`);
for (const subject of unpublished) console.log(`${subject}\n      never published by its service`);
for (const subject of early)
  console.log(`${subject}\n      published, while pods of the last release react to an earlier version only`);
console.log(
  `\n${endpoints.length} calls, ${untested.length} without all that they must answer; ${events.length} events, ${unpublished.length} never published`,
);
process.exitCode = untested.length + unpublished.length + early.length > 0 ? 1 : 0;
