import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../run.ts';
import type { BackingServer, LauncherContext, Program, ProviderUnavailable } from '../server.ts';
import { keepPlace, placeOf, recordedLocation } from './provider-record.ts';

const explain = ({ title, variables }: BackingServer, refusals: ProviderUnavailable[]): string =>
  [
    `${title} is not to be had on this machine. Any one of these would do:`,
    `  - in the environment: ${variables}, pointing at one that runs`,
    ...refusals.map(({ way, why }) => `  - ${way}: ${why}`),
    ...(refusals.some(({ why }) => why.startsWith('the data of earlier starts'))
      ? ['`npm start -- --reset` begins anew, without that data.']
      : []),
  ].join('\n');

/** The folder in which an earlier start has left data of a server. */
const dataFolder = async ({ name }: BackingServer, { home }: LauncherContext): Promise<string | undefined> => {
  const folder = (await readdir(home)).find((entry) => entry === name || entry.startsWith(`${name}-`));
  if (!folder) return undefined;
  const entries = await readdir(join(home, folder)).catch(() => []);
  return entries.some((entry) => !entry.endsWith('.conf')) ? join(home, folder) : undefined;
};

/** `ATRIUM_BACKING_PROVIDER=container` shows that Atrium runs on containers alone, also where something else is found first. */
const isAllowed = ({ way }: Program, { env }: Pick<LauncherContext, 'env'>): boolean =>
  env.ATRIUM_BACKING_PROVIDER !== 'container' || way === 'in a container' || way === 'our own';

/**
 * Goes through the ways to get a server in their order until one both is open and runs; what is found and does not run is passed
 * over with a word. Data that an earlier start left is never passed over for an empty place: with Docker started or stopped in
 * between, or another PostgreSQL, somebody would find their workspace gone.
 */
export const startFirstAvailable = async <T>(
  server: BackingServer,
  toolbox: LauncherContext,
  run: (program: Program) => Promise<T>,
): Promise<T> => {
  const refusals: ProviderUnavailable[] = [];
  const earlier = toolbox.durable ? recordedLocation(server.name, toolbox) : undefined;
  const data = await dataFolder(server, toolbox);
  for (const way of server.ways) {
    const found = await way(toolbox);
    if ('why' in found) {
      refusals.push(found);
      // One that is there and still not used deserves a word: somebody may wonder.
      if (/ is version /.test(found.why)) toolbox.listener.say(server.name, `${found.why}; going on without it`);
      continue;
    }
    if (!isAllowed(found, toolbox)) {
      refusals.push({ way: found.way, why: `ATRIUM_BACKING_PROVIDER asks for ${toolbox.env.ATRIUM_BACKING_PROVIDER}` });
      continue;
    }
    const place = placeOf(server.name, found);
    if (earlier ? earlier !== place : found.image && data) {
      refusals.push({ way: found.way, why: `the data of earlier starts is ${earlier ?? `in ${data}`}` });
    } else {
      try {
        const running = await run(found);
        if (toolbox.durable) keepPlace(server.name, place, toolbox);
        return running;
      } catch (error) {
        if (toolbox.guard.isClosing()) throw error;
        refusals.push({ way: found.way, why: messageOf(error) });
        toolbox.listener.say(server.name, `${found.file} does not run here; going on without it: ${messageOf(error)}`);
      }
    }
  }
  throw new Error(explain(server, refusals));
};
