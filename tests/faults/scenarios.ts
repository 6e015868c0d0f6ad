import type { Scenario } from './scenario.ts';
import { crashes } from './scenarios/crashes.ts';

/** Everything that goes wrong, in this order; chance follows the seed. */
export const scenariosOf = (_seed: number): readonly Scenario[] => [...crashes];
