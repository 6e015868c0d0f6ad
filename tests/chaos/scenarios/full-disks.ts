import { type Disk, fill, smallDisks } from '../environments/small-disks.ts';
import type { Scenario } from '../scenario.ts';

const TOLD = [/a request failed/, /could not be/, /was lost/];

/** A disk has no room any more, and then has some again. */
const full = (disk: Disk, more: Partial<Scenario> & Pick<Scenario, 'affected'>): Scenario => ({
  name: `disk of ${disk} full`,
  place: smallDisks,
  provokes: TOLD,
  lastsMs: 15_000,
  cause: async () => {
    const empty = fill(disk);
    return async () => empty();
  },
  ...more,
});

/** Room that runs out beneath what keeps things. */
export const fullDisks: readonly Scenario[] = [
  full('objects', { affected: ['documents'] }),
  full('postgres', { affected: ['gateway'] }),
  full('nats', {
    affected: [],
    async cause({ cluster }) {
      const empty = fill('nats');
      return async () => {
        empty();
        // It turns JetStream off when it meets a full disk, and on again when it starts: a probe of its `/healthz` sees to that.
        const part = cluster.backing.servers.get('nats')?.part;
        await part?.stop();
        await part?.start();
      };
    },
  }),
];
