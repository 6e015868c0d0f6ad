import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInvitationByToken, listOpenInvitations } from '@atrium/auth/invitations/invitation-repository';
import { findReset } from '@atrium/auth/passwords/reset-repository';
import { connectDatabase } from '@atrium/service-kit/postgres/connection';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { inTurn } from '@atrium/tools/backup/exclusive-lock';
import type { Made } from '@atrium/tools/backup/make-backup';
import { holdingObjects } from '@atrium/tools/backup/objects/dump-objects';
import { endConnection } from '@atrium/tools/backup/postgres/connections';
import { type Restore, restoreBackup } from '@atrium/tools/backup/restore-backup';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBackups, openEmptyPlace, openFilledPlace, type TestPlace } from './test-installation.ts';

const backups = openBackups();
const hashes = { invitation: Buffer.from('of an invitation'), reset: Buffer.from('of a reset') };
let made: Made;
let files: { whole: string; damaged: string };
let target: TestPlace;
let atOnce: PromiseSettledResult<string[]>[];

/** Puts links there that are good. */
const makeLinks = ({ place }: TestPlace) =>
  queryDatabase(
    place.databases.auth,
    `with account as (
       insert into accounts (id, email, state, first_name, last_name, role)
       values ('a1', 'wai@example.org', 'invited', 'Wai', 'Ting', 'member') returning id),
     reset as (
       insert into password_resets (id, user_id, token_hash, expires_at)
       select 'r1', id, $2::bytea, now() + interval '1 hour' from account)
     insert into invitations (id, user_id, token_hash, mail_event_id, invited_by, expires_at)
     select 'i1', id, $1::bytea, 'e1', 'somebody', now() + interval '7 days' from account`,
    [hashes.invitation, hashes.reset],
  );

/** What links of before are in a restored place, and whose invitations can be sent again there. */
async function linksIn({ place }: TestPlace) {
  const auth = await connectDatabase(place.databases.auth);
  try {
    const invitation = await findInvitationByToken(auth, hashes.invitation);
    const reset = await findReset(auth, hashes.reset);
    const { rows } = await listOpenInvitations(auth, { limit: 10, offset: 0 });
    return { invitation: invitation?.expired, reset: reset?.expired, open: rows.map(({ email }) => email) };
  } finally {
    await endConnection(auth);
  }
}

const restore = ({ place }: TestPlace, options: Partial<Restore> = {}) =>
  restoreBackup(place, { ...made, endSessions: false, withoutDamaged: false, ...options, say: () => undefined });
const emptyNats = async ({ place: { manager, prefix } }: TestPlace) =>
  void (await manager.streams.delete(`${prefix}_users`));

beforeAll(async () => {
  const source = await openFilledPlace();
  await makeLinks(source);
  files = { whole: await source.addFile('whole'), damaged: await source.addFile('damaged') };
  made = await backups.make(source.place);
  await emptyNats(source);
  await source.place.close();
  target = await openEmptyPlace(source.place.prefix);
  atOnce = await Promise.allSettled([restore(target), restore(target)]);
});
afterAll(async () => {
  backups.remove();
  await target.place.close();
});

describe('a restore', () => {
  it('is the only one of its place: of two at once one is refused', () => {
    expect(atOnce.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = atOnce.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { message: 'Another backup or restore is under way.' } });
  });

  it('does not begin beside a backup, nor a backup beside it', async () => {
    await inTurn(target.place, async () => {
      await expect(restore(target)).rejects.toThrow('Another backup or restore is under way.');
      await expect(backups.make(target.place)).rejects.toThrow('Another backup or restore is under way.');
    });
  });

  it('holds no snapshot while it lasts, nor does a backup: nothing waits to be cleaned up, and no index to be built', async () => {
    const { place } = target;
    await inTurn(place, (turn) =>
      holdingObjects(place, turn, async () => {
        for (const url of [place.databases.documents, place.databases.chat])
          expect(
            await queryDatabase(
              url,
              `select backend_xmin from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
            ),
          ).toEqual([{ backend_xmin: null }]);
      }),
    );
  });

  it('honours the links of before', async () => {
    expect(await linksIn(target)).toEqual({ invitation: false, reset: false, open: ['wai@example.org'] });
  });

  it('ends them where it is told to let nobody in with what they had; whoever was invited can be sent another one', async () => {
    await emptyNats(target);
    const other = await openEmptyPlace(target.place.prefix);
    try {
      await restore(other, { endSessions: true });
      expect(await linksIn(other)).toEqual({ invitation: true, reset: true, open: ['wai@example.org'] });
    } finally {
      await other.place.close();
    }
  });

  it('of a place where a service was never started lets that one begin empty', async () => {
    const other = await openEmptyPlace(target.place.prefix);
    const { chat } = other.place.databases;
    const earlier = await backups.make({ ...target.place, databases: { ...target.place.databases, chat } });
    expect(Object.keys(earlier.manifest.databases)).not.toContain('chat');
    await emptyNats(target);
    try {
      await restore(other, earlier);
      expect(await linksIn(other)).toMatchObject({ open: ['wai@example.org'] });
      expect(await queryDatabase(chat, `select from pg_tables where schemaname = 'public'`)).toEqual([]);
    } finally {
      await other.place.close();
    }
  });

  it('refuses what has a database that it does not know', async () => {
    const { chat, ...others } = made.manifest.databases;
    const databases = { ...others, ...(chat && { later: chat }) };
    const asked = restore(target, { manifest: { ...made.manifest, databases } });
    await expect(asked).rejects.toThrow('what this one does not know: the whole database of later');
  });

  it('leaves out what the disk of the backup has damaged of files where it is told to, and else refuses', async () => {
    const file = join(made.folder, 'objects', files.damaged);
    writeFileSync(file, 'dam');
    await emptyNats(target);
    const other = await openEmptyPlace(target.place.prefix);
    try {
      await expect(restore(other)).rejects.toThrow('With --without-damaged all but these files would be restored.');
      expect(await restore(other, { withoutDamaged: true })).toEqual([files.damaged]);
      const { objects, bucket } = other.place;
      expect(await objects.statObject(bucket, files.whole)).toMatchObject({ size: 5 });
      await expect(objects.statObject(bucket, files.damaged)).rejects.toMatchObject({ code: 'NotFound' });
    } finally {
      await other.place.close();
    }
  });
});
