import type { FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { type Lines, layLines } from '@atrium/test-kit/system/lines';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import type { Place } from '../environment.ts';

/** How many pods each service has. */
const PODS = [1, 2] as const;
const SEED = 20_261_122;

const laid = new Map<string, Lines>();
const keyOf = (name: string, number: number) => `${name} ${number}`;

/** Every pod reaches its servers, and other services, over lines of its own. */
export const onLines: Place = {
  name: 'one whose pods reach everything over lines',
  async lay(cluster) {
    for (const name of EVERY_PROCESS) {
      for (const number of PODS) {
        const seed = SEED + laid.size * 100;
        laid.set(keyOf(name, number), await layLines(name, cluster.envOf(name), { seed }));
      }
    }
    return ({ name, number }) => laid.get(keyOf(name, number))?.env ?? {};
  },
  async clear() {
    await Promise.all([...laid.values()].map((lines) => lines.close()));
    laid.clear();
  },
};

/** The lines of the pods of some services to one target; of one pod alone where its number is given. */
export function linesTo(target: string, names: readonly string[], only?: number): FaultyProxy[] {
  const numbers = PODS.filter((number) => only === undefined || number === only);
  return names.flatMap((name) =>
    numbers.map((number) => {
      const lines = laid.get(keyOf(name, number));
      if (!lines) throw new Error(`there are no lines of ${name}`);
      return lines.to(target);
    }),
  );
}
