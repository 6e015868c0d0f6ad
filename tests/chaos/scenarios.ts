import type { Scenario } from './scenario.ts';
import { clocksOff } from './scenarios/clock-shifts.ts';
import { crashes } from './scenarios/crashes.ts';
import { partsAway } from './scenarios/dependency-outages.ts';
import { fullDisks } from './scenarios/full-disks.ts';
import { killsOf } from './scenarios/kills.ts';
import { manyStarts } from './scenarios/many-starts.ts';
import { brokenLines } from './scenarios/network-outages.ts';
import { standstills } from './scenarios/process-pauses.ts';

/** Everything that goes wrong, in this order; chance follows the seed. */
export const scenariosOf = (seed: number): readonly Scenario[] => [
  ...crashes,
  ...killsOf(seed),
  ...standstills,
  manyStarts,
  ...partsAway,
  ...brokenLines,
  ...fullDisks,
  ...clocksOff,
];
