import { COVERAGE_DIR } from '@atrium/dev-server/test-runner/coverage-records';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { type RecordedEvent, type RecordedResponse, readCoverage } from '@atrium/test-kit/coverage-records';
import { loadSnapshot } from '../contract-snapshots/released.ts';
import { findUntested } from './endpoints.ts';
import { findPrematurelyPublished, findUnpublished, getPublisher } from './events.ts';

const folder = process.env.CONTRACT_COVERAGE_DIR ?? COVERAGE_DIR;
const selectedServices = process.argv.slice(2);
const isSelected = (service: string): boolean => selectedServices.length === 0 || selectedServices.includes(service);

const endpoints = ALL_ENDPOINTS.filter(({ service }) => isSelected(service));
const events = ALL_EVENTS.filter((event) => isSelected(getPublisher(event)));
const untested = findUntested(endpoints, readCoverage<RecordedResponse>('response', folder));
const released = new Set(Object.keys(loadSnapshot().events));
const published = readCoverage<RecordedEvent>('event', folder);
const unpublished = findUnpublished(events, published, released);
const premature = findPrematurelyPublished(events, published, released);
for (const { call, unseen } of untested) console.log(`${call}\n      outcomes not seen: ${unseen.join(', ')}`);
for (const subject of unpublished) console.log(`${subject}\n      never published by its service`);
for (const subject of premature)
  console.log(`${subject}\n      published, although pods of the last release handle only an earlier version`);
console.log(
  `\n${endpoints.length} calls, ${untested.length} with outcomes not seen; ${events.length} events, ${unpublished.length} never published`,
);
process.exitCode = untested.length + unpublished.length + premature.length > 0 ? 1 : 0;
