import { serviceOf } from '@atrium/gateway/upstream/upstreams';
import type { Sample } from '../simulation/acknowledged-writes.ts';

/** The service that answers a call of the ledger. */
export const answererOf = ({ call }: Sample): string => serviceOf(`/api${call.replace(/^\S+ /, '')}`) ?? 'gateway';

/** Fewer calls say nothing about how long they take. */
const ENOUGH = 8;
/**
 * What nobody feels is as good as twice the usual. A process that starts takes a whole core for two or three seconds, and here are two
 * for everything: backing servers, sixteen pods, and the ten people. On machines of their own they would not meet.
 */
const MEASURES = [
  { of: 0.5, floorMs: 50 },
  { of: 0.9, floorMs: 250 },
] as const;

export type Slowdown = { service: string; ratio: number; usualMs: number; ms: number };

/** How much slower the slowest of some services was, at the median or at the 90th percentile of its calls. */
export function slowdown(
  usual: readonly Sample[],
  during: readonly Sample[],
  services: readonly string[],
): Slowdown | undefined {
  const found = services.flatMap((service) => {
    const [before, now] = [timesOf(usual, service), timesOf(during, service)];
    if (before.length < ENOUGH || now.length < ENOUGH) return [];
    return MEASURES.map(({ of, floorMs }) => {
      const [usualMs, ms] = [percentile(before, of), percentile(now, of)];
      return { service, usualMs, ms, ratio: Math.max(ms, floorMs) / Math.max(usualMs, floorMs) };
    });
  });
  return found.sort((one, other) => other.ratio - one.ratio)[0];
}

/** Nobody waits for so long without thinking that something is wrong, however few calls there were to judge by. */
const MOST_MS = 5_000;

/** Reads of some services that took longer than anybody waits. */
export const endless = (samples: readonly Sample[], services: readonly string[]): Sample[] =>
  samples.filter((sample) => isRead(sample) && sample.ms > MOST_MS && services.includes(answererOf(sample)));

const isRead = ({ call }: Sample): boolean => call.startsWith('GET ');

/** Of reads alone, which come at an even pace (`observe.ts`): a sign-in takes a second of a core, and how many there are is chance. */
const timesOf = (samples: readonly Sample[], service: string): number[] =>
  samples
    .filter((sample) => isRead(sample) && answererOf(sample) === service)
    .map(({ ms }) => ms)
    .sort((one, other) => one - other);

const percentile = (times: readonly number[], of: number): number => times[Math.floor(times.length * of)] ?? 0;
