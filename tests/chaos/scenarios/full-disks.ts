import { type Disk, fill, smallDisks } from '../environments/small-disks.ts';
import type { Scenario } from '../scenario.ts';

const EXPECTED_ERRORS = [/Request failed/, /Failed to /, /could not be/, /were lost/];

/** Fills a disk and then frees the space. */
const fillWhileWorking = (disk: Disk, overrides: Partial<Scenario> & Pick<Scenario, 'affected'>): Scenario => ({
  name: `${disk} disk full`,
  environment: smallDisks,
  expectedErrors: EXPECTED_ERRORS,
  durationMs: 15_000,
  cause: async () => {
    const freeSpace = fill(disk);
    return async () => freeSpace();
  },
  ...overrides,
});

export const fullDisks: readonly Scenario[] = [
  fillWhileWorking('objects', { affected: ['documents'] }),
  fillWhileWorking('postgres', { affected: ['gateway'] }),
  fillWhileWorking('nats', {
    affected: [],
    async cause({ cluster }) {
      const freeSpace = fill('nats');
      return async () => {
        freeSpace();
        // JetStream disables itself on a full disk until it is restarted. In a cluster, its `/healthz` probe restarts
        // it.
        const part = cluster.backing.servers.get('nats')?.process;
        await part?.stop();
        await part?.start();
      };
    },
  }),
];
