import { secretsOf } from '@atrium/tools/secrets/layout';
import { secretValues } from '@atrium/tools/secrets/values';
import type { Secrets } from './checks/environment.ts';

/** The Secrets that `npm run secrets -- kubernetes` generates. */
export const madeSecrets = (): Secrets =>
  secretsOf(Object.fromEntries(Object.entries(secretValues).map(([name, make]) => [name, make()])));
