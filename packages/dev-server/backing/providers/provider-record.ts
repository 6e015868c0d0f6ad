import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../process-manager/json-file.ts';
import type { LauncherContext, Program, ServerName } from '../server.ts';

/** Where a start has put a server's data; another place would be empty. */
const kept = z.partialRecord(z.string(), z.string());

const fileIn = ({ home }: Pick<LauncherContext, 'home'>): string => join(home, 'ways.json');

const read = (toolbox: Pick<LauncherContext, 'home'>): Partial<Record<string, string>> => {
  try {
    return readJsonFile(fileIn(toolbox), kept);
  } catch {
    return {};
  }
};

/** A program's data in words; that of one PostgreSQL is nothing to the next. */
export const placeOf = (name: ServerName, { image, version }: Program): string => {
  const place = image ? 'in a volume of Docker' : 'in the folder of this Atrium';
  return name === 'postgres' ? `${place}, as PostgreSQL ${version.split('.')[0]} keeps it` : place;
};

/** Where earlier starts of this home have put a server's data, if it had one. */
export const recordedLocation = (name: ServerName, toolbox: Pick<LauncherContext, 'home'>): string | undefined =>
  read(toolbox)[name];

export const keepPlace = (name: ServerName, place: string, toolbox: Pick<LauncherContext, 'home'>): void => {
  const all = read(toolbox);
  if (all[name] !== place) writeJsonFile(fileIn(toolbox), { ...all, [name]: place });
};
