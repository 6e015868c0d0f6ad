import type { Scenario } from './scenario.ts';
import { crashes } from './scenarios/crashes.ts';
import { killsOf } from './scenarios/kills.ts';
import { manyStarts } from './scenarios/many-starts.ts';
import { standstills } from './scenarios/standstills.ts';

/** Everything that goes wrong, in this order; chance follows the seed. */
export const scenariosOf = (seed: number): readonly Scenario[] => [
  ...crashes,
  ...killsOf(seed),
  ...standstills,
  manyStarts,
];
