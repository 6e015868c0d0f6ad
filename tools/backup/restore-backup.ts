import { deriveKey } from '@atrium/auth/derive-key';
import { openSigningKey } from '@atrium/auth/keys/signing-key';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import type pg from 'pg';
import { inTurn, requireTurn } from './exclusive-lock.ts';
import { linesOf } from './files.ts';
import { SERVICES } from './installation/databases.ts';
import type { Installation } from './installation/installation.ts';
import { loadStream, removeUnusedStreams } from './jetstream/load-streams.ts';
import { nameUsedStreams } from './jetstream/name-streams.ts';
import type { Manifest } from './manifest.ts';
import { findDocuments, loadCollection, noteRestore } from './mongo/load-collections.ts';
import { hasObjects, loadObjects } from './objects/load-objects.ts';
import { type Connections, connectAll, endAll } from './postgres/connections.ts';
import { findTables, loadDatabase } from './postgres/load-database.ts';
import { findUnknownMigrations } from './postgres/migrate-to.ts';
import { findFaults, listFaults } from './verify-backup.ts';

export type Restore = {
  folder: string;
  manifest: Manifest;
  /** Lets nobody in with what they had: no session, access token, invitation or link to a new password of before is good any more. */
  endSessions: boolean;
  /** Leaves out files of people that are damaged in the backup. */
  withoutDamaged: boolean;
  say: (line: string) => void;
};

/** Fills an empty place from a backup. Whatever speaks against it is found before anything is written. Answers what was left out, by key. */
export async function restoreBackup(place: Installation, restore: Restore): Promise<string[]> {
  return inTurn(place, async (turn) => {
    const clients = await connectAll(place);
    try {
      const damaged = await refuse(place, clients, restore);
      restore.say(
        `  the backup is ${damaged.length > 0 ? 'damaged in single files' : 'whole'}, and the place is empty`,
      );
      await load(place, clients, { ...restore, manifest: without(damaged, restore.manifest) });
      await requireTurn(turn);
      return damaged;
    } finally {
      await endAll(clients);
    }
  });
}

/** As if these files had not been in the store when the backup was made. */
const without = (keys: string[], { objects, ...rest }: Manifest): Manifest => ({
  ...rest,
  objects: { ...objects, missing: [...objects.missing, ...keys] },
});

async function load(place: Installation, clients: Connections, { folder, manifest, endSessions, say }: Restore) {
  for (const [service, client] of clients) {
    const kept = manifest.databases[service];
    if (kept) await loadDatabase({ url: place.databases[service], service, client, kept, folder });
    else say(`  nothing of ${service}, which is newer than the backup and begins empty`);
  }
  say(`  ${Object.keys(manifest.databases).length} databases`);
  const auth = clients.get('auth');
  if (auth) await forgetWhatIsPast(auth, endSessions);
  for (const collection of manifest.collections) await loadCollection(folder, place, collection);
  await noteRestore(place, manifest.cut.at);
  say(`  ${manifest.collections.length} collections of notifications`);
  await loadObjects({ folder, place, kept: manifest.objects, say });
  say(`  ${manifest.objects.count - manifest.objects.missing.length} files`);
  // Last: services that are started too early wait for the directory.
  await removeUnusedStreams(place);
  for (const stream of manifest.streams) await loadStream(folder, place, stream);
  await provisionStreams(place.manager, place);
  say(`  ${manifest.streams.length} streams and buckets`);
}

/** Throws what speaks against it; answers the keys of files that are to be left out. */
async function refuse(place: Installation, clients: Connections, restore: Omit<Restore, 'say'>): Promise<string[]> {
  const { folder, manifest, endSessions, withoutDamaged } = restore;
  if (manifest.prefix !== place.prefix)
    throw new Error(`The backup is of NATS_PREFIX ${manifest.prefix}, and this place has ${place.prefix}.`);
  const unknown = await findUnknown(manifest);
  if (unknown.length > 0)
    throw new Error(
      `The backup is of another version (${manifest.atrium}), with what this one does not know: ${unknown.join(', ')}.`,
    );
  const there = await findWhatIsThere(place, clients);
  if (there.length > 0)
    throw new Error(`A restore needs an empty place, and this one has: ${there.join('; ')}. Nothing was changed.`);
  const faults = await findFaults(folder, manifest);
  if (faults.parts.length > 0 || (faults.files.size > 0 && !withoutDamaged)) {
    const advice = faults.parts.length > 0 ? '' : ' With --without-damaged all but these files would be restored.';
    throw new Error(`The backup is damaged; nothing was changed.${advice}\n  ${listFaults(faults).join('\n  ')}`);
  }
  if (!endSessions) await requireKeySecret(place, folder, manifest);
  return [...faults.files.keys()];
}

/** What a later version has brought: databases, and migrations of those that are known. */
async function findUnknown({ databases }: Manifest): Promise<string[]> {
  const found = Object.entries(databases).map(([name, kept]) => {
    const service = SERVICES.find((one) => one === name);
    return service ? findUnknownMigrations(service, kept) : [`the whole database of ${name}`];
  });
  return (await Promise.all(found)).flat();
}

async function findWhatIsThere(place: Installation, clients: Connections): Promise<string[]> {
  const tables = await Promise.all(
    [...clients].map(async ([service, client]) => {
      const found = await findTables(client);
      return found.length > 0 ? [`${found.length} tables in the database of ${service}`] : [];
    }),
  );
  const named = (what: string, names: string[]) => (names.length > 0 ? [`${what} ${names.join(', ')}`] : []);
  return [
    ...tables.flat(),
    ...named('streams', await nameUsedStreams(place)),
    ...named('collections', await findDocuments(place)),
    ...((await hasObjects(place)) ? [`objects in the bucket ${place.bucket}`] : []),
  ];
}

/** Without the secret of before nobody's token can be renewed, and auth makes keys of its own. */
async function requireKeySecret({ keySecrets }: Installation, folder: string, { databases }: Manifest): Promise<void> {
  const table = databases.auth?.tables.find(({ name }) => name === 'signing_keys');
  const column = table?.columns.indexOf('sealed_private_jwk') ?? -1;
  if (!table || table.rows === 0) return;
  const advice = 'Give the one of before, or restore with --end-sessions: then everybody signs in again.';
  const [current, ...previous] = keySecrets.map((secret) => deriveKey(secret, 'signing keys'));
  if (!current) throw new Error(`KEY_ENCRYPTION_SECRET is missing, by which tokens of before are honoured. ${advice}`);
  for await (const row of linesOf(folder, table)) {
    // What is sealed is base64url with points: nothing that PostgreSQL would have written otherwise.
    const opened = openSigningKey(row.split('\t')[column] ?? '', [current, ...previous]).then(
      () => true,
      () => false,
    );
    if (await opened) return;
  }
  throw new Error(`KEY_ENCRYPTION_SECRET does not open the signing keys of the backup. ${advice}`);
}

/**
 * Who asked for a new password at the moment of the cut has long been answered: no second link. Links that are ended are answered as
 * those whose time is over, and an invitation stays among the open ones, where it can be sent again: its person is known everywhere.
 */
async function forgetWhatIsPast(auth: pg.Client, endSessions: boolean): Promise<void> {
  await auth.query('truncate reset_requests');
  if (!endSessions) return;
  await auth.query(
    `delete from sessions; delete from signing_keys;
     update invitations set expires_at = now() where accepted_at is null and expires_at > now();
     update password_resets set expires_at = now() where used_at is null and expires_at > now()`,
  );
}
