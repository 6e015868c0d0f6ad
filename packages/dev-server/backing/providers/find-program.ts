import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../process-manager/json-file.ts';
import { messageOf } from '../run.ts';
import type { BackingServer, LauncherContext, Program, ProviderUnavailable, ServerName } from '../server.ts';

const locations = z.partialRecord(z.string(), z.string());

const fileIn = ({ home }: Pick<LauncherContext, 'home'>): string => join(home, 'ways.json');

const read = (context: Pick<LauncherContext, 'home'>): Partial<Record<string, string>> => {
  try {
    return readJsonFile(fileIn(context), locations);
  } catch {
    return {};
  }
};

const locationOf = (name: ServerName, { image, version }: Program): string => {
  const location = image ? 'in a Docker volume' : 'in the Atrium folder';
  return name === 'postgres' ? `${location}, in the format of PostgreSQL ${version.split('.')[0]}` : location;
};

const recordedLocation = (name: ServerName, context: Pick<LauncherContext, 'home'>): string | undefined =>
  read(context)[name];

const recordLocation = (name: ServerName, location: string, context: Pick<LauncherContext, 'home'>): void => {
  const all = read(context);
  if (all[name] !== location) writeJsonFile(fileIn(context), { ...all, [name]: location });
};

const explain = ({ title, variables }: BackingServer, unavailable: ProviderUnavailable[]): string =>
  [
    `${title} is not available on this machine. Provide it in one of these ways:`,
    `  - in the environment: ${variables} of a running server`,
    ...unavailable.map(({ provider, reason }) => `  - ${provider}: ${reason}`),
    ...(unavailable.some(({ reason }) => reason.startsWith('the data of earlier starts'))
      ? ['To start over without that data, run `npm start -- --reset`.']
      : []),
  ].join('\n');

const dataFolder = async ({ name }: BackingServer, { home }: LauncherContext): Promise<string | undefined> => {
  const folder = (await readdir(home)).find((entry) => entry === name || entry.startsWith(`${name}-`));
  if (!folder) return undefined;
  const entries = await readdir(join(home, folder)).catch(() => []);
  return entries.some((entry) => !entry.endsWith('.conf')) ? join(home, folder) : undefined;
};

/** `ATRIUM_BACKING_PROVIDER=container` allows only containers, to test that Atrium runs on them. */
const isAllowed = ({ provider }: Program, { env }: Pick<LauncherContext, 'env'>): boolean =>
  env.ATRIUM_BACKING_PROVIDER !== 'container' || provider === 'in a container' || provider === 'our own';

/**
 * In order of preference; prints a message for each program that is found but not used. Never switches to a
 * provider without the data of an earlier start: if Docker is stopped or PostgreSQL upgraded in between, the
 * workspace would appear to be empty.
 */
export const startFirstAvailable = async <T>(
  server: BackingServer,
  context: LauncherContext,
  run: (program: Program) => Promise<T>,
): Promise<T> => {
  const unavailable: ProviderUnavailable[] = [];
  const earlier = context.durable ? recordedLocation(server.name, context) : undefined;
  const data = await dataFolder(server, context);
  for (const provider of server.providers) {
    const found = await provider(context);
    if ('reason' in found) {
      unavailable.push(found);
      // Explain why an installed program is not used.
      if (/ is version /.test(found.reason)) context.listener.say(server.name, `${found.reason}; skipping it`);
      continue;
    }
    if (!isAllowed(found, context)) {
      unavailable.push({
        provider: found.provider,
        reason: `ATRIUM_BACKING_PROVIDER is ${context.env.ATRIUM_BACKING_PROVIDER}`,
      });
      continue;
    }
    const location = locationOf(server.name, found);
    if (earlier ? earlier !== location : found.image && data) {
      unavailable.push({
        provider: found.provider,
        reason: `the data of earlier starts is ${earlier ?? `in ${data}`}`,
      });
    } else {
      try {
        const running = await run(found);
        if (context.durable) recordLocation(server.name, location, context);
        return running;
      } catch (error) {
        if (context.reaper.isClosing()) throw error;
        unavailable.push({ provider: found.provider, reason: messageOf(error) });
        context.listener.say(
          server.name,
          `${found.file} does not run on this machine; skipping it: ${messageOf(error)}`,
        );
      }
    }
  }
  throw new Error(explain(server, unavailable));
};
