import { resolve } from 'node:path';
import { connectInstallation, type Installation, readWhereabouts } from './installation/installation.ts';
import { makeBackup, removeOld } from './make-backup.ts';
import { listBackups, type Manifest, readManifest } from './manifest.ts';
import { type BackupOptions, HELP, readOptions } from './options.ts';
import { restoreBackup } from './restore-backup.ts';
import { findFaults, listFaults } from './verify-backup.ts';

/** Opens the stores on which a command works. */
export type Opening = (command: 'backup' | 'restore') => Promise<Pick<Installation, 'close'> & Installation>;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const openGiven: Opening = () => connectInstallation(readWhereabouts(process.env));

/** Does what was asked for, and sets the exit code: 1 where it failed, 64 where it was asked for wrongly. */
export async function run(command: 'backup' | 'restore', args: string[], openOwn: Opening = openGiven): Promise<void> {
  // Of all that is written here nothing is for others to read.
  process.umask(0o077);
  let options: BackupOptions;
  try {
    options = readOptions(command, args);
  } catch (error) {
    return fail(error, 64);
  }
  const open = process.env.NATS_URL ? openGiven : openOwn;
  try {
    if (options.command === 'help') say(HELP);
    else if (options.command === 'verify') await check(options.folder);
    else if (options.command === 'backup') await backup(open, options);
    else await restore(open, options);
  } catch (error) {
    fail(error, 1);
  }
}

function fail(error: unknown, code: number): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = code;
}

async function within<T>(opening: Promise<Installation>, work: (place: Installation) => Promise<T>): Promise<T> {
  const place = await opening;
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

async function backup(open: Opening, { to, keep }: Extract<BackupOptions, { command: 'backup' }>): Promise<void> {
  const began = performance.now();
  const { folder, manifest } = await within(open('backup'), (place) => makeBackup(place, to, say));
  say(`${folder} in ${seconds(began)} s: ${describe(manifest)}`);
  tellMissing(manifest);
  if (keep === undefined) return;
  const gone = await removeOld(resolve(to), keep);
  if (gone.length > 0) say(`Removed ${gone.join(', ')}.`);
}

async function restore(open: Opening, options: Extract<BackupOptions, { command: 'restore' }>) {
  const { from, endSessions, withoutDamaged } = options;
  const began = performance.now();
  const folder = await chooseBackup(resolve(from));
  const manifest = await readManifest(folder);
  say(`${folder}: ${describe(manifest)}`);
  const wanted = { folder, manifest, endSessions, withoutDamaged, say };
  const damaged = await within(open('restore'), (place) => restoreBackup(place, wanted));
  say(`Restored in ${seconds(began)} s, as it was at ${manifest.cut.at}. The services may start now.`);
  tellMissing(manifest);
  if (damaged.length > 0)
    process.stderr.write(
      `${damaged.length} files are damaged in the backup and were left out: ${damaged.join(', ')}\n`,
    );
}

async function check(given: string): Promise<void> {
  const folder = await chooseBackup(resolve(given));
  const manifest = await readManifest(folder);
  const faults = listFaults(await findFaults(folder, manifest));
  if (faults.length > 0) throw new Error(`${folder} is damaged:\n  ${faults.join('\n  ')}`);
  say(`${folder} is whole: ${describe(manifest)}`);
  tellMissing(manifest);
}

/** The backup itself, or the newest whole one in a folder of them. */
async function chooseBackup(folder: string): Promise<string> {
  const newest = (await listBackups(folder)).findLast(({ isWhole }) => isWhole);
  return newest ? resolve(folder, newest.name) : folder;
}

const seconds = (began: number): string => ((performance.now() - began) / 1_000).toFixed(1);
const sum = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);

function describe({ databases, streams, collections, objects }: Manifest): string {
  const rows = sum(Object.values(databases).flatMap(({ tables }) => tables.map((table) => table.rows)));
  const messages = sum(streams.map((stream) => stream.messages));
  const documents = sum(collections.map((collection) => collection.documents));
  const megabytes = (objects.size / 1e6).toFixed(1);
  return `${rows} rows, ${messages} messages, ${documents} documents, ${objects.count} files of ${megabytes} MB`;
}

function tellMissing({ objects: { missing } }: Manifest): void {
  if (missing.length === 0) return;
  process.stderr.write(
    `${missing.length} files were not in the object store as their records say: ${missing.join(', ')}\n`,
  );
}
