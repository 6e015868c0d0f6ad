import { findService } from '@atrium/gateway/upstream/upstreams';
import type { CallSample } from '../simulation/acknowledged-writes.ts';

/** The service that responds to a recorded call. */
export const serviceOfSample = ({ call }: CallSample): string =>
  findService(`/api${call.replace(/^\S+ /, '')}`) ?? 'gateway';

/** Minimum number of calls for a meaningful comparison. */
const MIN_SAMPLES = 8;
/**
 * Times below the floor count as the floor, because no user notices them. A starting process takes a whole core for two
 * or three seconds, and here two cores run the backing servers, sixteen pods, and the ten users.
 */
const MEASURED_PERCENTILES = [
  { quantile: 0.5, floorMs: 50 },
  { quantile: 0.9, floorMs: 250 },
] as const;

export type Slowdown = { service: string; ratio: number; baselineMs: number; ms: number };

/** Finds the largest slowdown among the services, at the median or at the 90th percentile of their reads. */
export function findLargestSlowdown(
  baseline: readonly CallSample[],
  observed: readonly CallSample[],
  services: readonly string[],
): Slowdown | undefined {
  const slowdowns = services.flatMap((service) => {
    const baselineTimes = timesOf(baseline, service);
    const observedTimes = timesOf(observed, service);
    if (baselineTimes.length < MIN_SAMPLES || observedTimes.length < MIN_SAMPLES) return [];
    return MEASURED_PERCENTILES.map(({ quantile, floorMs }) => {
      const baselineMs = percentile(baselineTimes, quantile);
      const ms = percentile(observedTimes, quantile);
      return { service, baselineMs, ms, ratio: Math.max(ms, floorMs) / Math.max(baselineMs, floorMs) };
    });
  });
  return slowdowns.sort((a, b) => b.ratio - a.ratio)[0];
}

/** An absolute limit, which applies regardless of the number of calls. */
const MAX_READ_MS = 5_000;

export const listSlowReads = (samples: readonly CallSample[], services: readonly string[]): CallSample[] =>
  samples.filter((sample) => isRead(sample) && sample.ms > MAX_READ_MS && services.includes(serviceOfSample(sample)));

const isRead = ({ call }: CallSample): boolean => call.startsWith('GET ');

/**
 * Includes only reads, because they come at an even pace (`observe.ts`). A sign-in takes a second of CPU time, and the
 * number of sign-ins is random.
 */
const timesOf = (samples: readonly CallSample[], service: string): number[] =>
  samples
    .filter((sample) => isRead(sample) && serviceOfSample(sample) === service)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);

const percentile = (times: readonly number[], quantile: number): number =>
  times[Math.floor(times.length * quantile)] ?? 0;
