import { findService } from '@atrium/gateway/upstream/upstreams';
import type { Sample } from '../simulation/acknowledged-writes.ts';

/** The service that responds to a recorded call. */
export const serviceOfSample = ({ call }: Sample): string =>
  findService(`/api${call.replace(/^\S+ /, '')}`) ?? 'gateway';

/** Minimum number of calls for a meaningful comparison. */
const MIN_SAMPLES = 8;
/**
 * Times below the floor count as the floor, since no user notices them. A starting process takes a whole core for two or three seconds, and
 * here two cores run the backing servers, sixteen pods, and the ten users.
 */
const MEASURED_PERCENTILES = [
  { of: 0.5, floorMs: 50 },
  { of: 0.9, floorMs: 250 },
] as const;

export type Slowdown = { service: string; ratio: number; baselineMs: number; ms: number };

/** The largest slowdown among the services, at the median or at the 90th percentile of their reads. */
export function slowdown(
  baseline: readonly Sample[],
  observed: readonly Sample[],
  services: readonly string[],
): Slowdown | undefined {
  const found = services.flatMap((service) => {
    const [before, now] = [timesOf(baseline, service), timesOf(observed, service)];
    if (before.length < MIN_SAMPLES || now.length < MIN_SAMPLES) return [];
    return MEASURED_PERCENTILES.map(({ of, floorMs }) => {
      const [baselineMs, ms] = [percentile(before, of), percentile(now, of)];
      return { service, baselineMs, ms, ratio: Math.max(ms, floorMs) / Math.max(baselineMs, floorMs) };
    });
  });
  return found.sort((a, b) => b.ratio - a.ratio)[0];
}

/** An absolute limit, which applies however few calls there were. */
const MAX_READ_MS = 5_000;

export const listSlowReads = (samples: readonly Sample[], services: readonly string[]): Sample[] =>
  samples.filter((sample) => isRead(sample) && sample.ms > MAX_READ_MS && services.includes(serviceOfSample(sample)));

const isRead = ({ call }: Sample): boolean => call.startsWith('GET ');

/** Reads only, since they come at an even pace (`observe.ts`); a sign-in takes a second of a core, and their number is random. */
const timesOf = (samples: readonly Sample[], service: string): number[] =>
  samples
    .filter((sample) => isRead(sample) && serviceOfSample(sample) === service)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);

const percentile = (times: readonly number[], of: number): number => times[Math.floor(times.length * of)] ?? 0;
