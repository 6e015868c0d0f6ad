import { serviceOf } from '@atrium/gateway/upstream/upstreams';
import type { Sample } from '../laboratory/ledger.ts';

/** The service that answers a call of the ledger. */
export const answererOf = ({ call }: Sample): string => serviceOf(`/api${call.replace(/^\S+ /, '')}`) ?? 'gateway';

/** Fewer calls say nothing about how long they take. */
const ENOUGH = 12;
/**
 * What nobody feels is as good as twice the usual. A process that starts takes a whole core for a second or two, and here are two for
 * everything: backing servers, sixteen pods, and the ten people.
 */
export const FLOOR_MS = 100;

/** How much slower the slowest of some services was, at the 90th percentile of its calls. */
export function slowdown(usual: readonly Sample[], during: readonly Sample[], services: readonly string[]) {
  const ratios = services.flatMap((service) => {
    const [before, now] = [usual, during].map((samples) => timesOf(samples, service));
    if (!before || !now || before.length < ENOUGH || now.length < ENOUGH) return [];
    const [usualMs, ms] = [p90(before), p90(now)];
    return [{ service, usualMs, ms, ratio: Math.max(ms, FLOOR_MS) / Math.max(usualMs, FLOOR_MS) }];
  });
  return ratios.sort((one, other) => other.ratio - one.ratio)[0];
}

const timesOf = (samples: readonly Sample[], service: string): number[] =>
  samples.filter((sample) => answererOf(sample) === service).map(({ ms }) => ms);

const p90 = (times: readonly number[]): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.9)] ?? 0;
