import { secretsOf } from '@atrium/tools/secrets/layout';
import { clusterValues } from '@atrium/tools/secrets/values';
import type { Secrets } from './checks/environment.ts';

/** What `npm run secrets -- kubernetes` makes. */
export const madeSecrets = (): Secrets =>
  secretsOf(Object.fromEntries(Object.entries(clusterValues).map(([name, make]) => [name, make()])));
