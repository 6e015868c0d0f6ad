import { createHmac, randomBytes } from 'node:crypto';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { deriveKey } from '../src/derive-key.ts';
import { hashToken } from '../src/hash-token.ts';
import { refresh, type SignedIn, sessionOf, signIn, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

const key = deriveKey(service.env.KEY_ENCRYPTION_SECRET ?? '', 'successors of refresh tokens');
const successorOf = (token: string) => createHmac('sha256', key).update(token).digest('base64url');
const renewed = async (token: string) => {
  const { status, body } = await refresh(service, token);
  expect(status).toBe(200);
  return (body as SignedIn).refreshToken;
};
const refused = async (token: string) => expect((await refresh(service, token)).status).toBe(401);
const isThere = async (id: string) => (await service.query('select id from sessions where id = $1', [id])).length === 1;

/** The statements of a pod of the release before, word by word. */
const before = {
  async signIn() {
    const id = newId();
    const token = randomBytes(32).toString('base64url');
    await service.query(
      `with session as (
         insert into sessions (id, user_id, created_at, expires_at, device, address)
         values ($1, $2, $3, now() + make_interval(days => least($7::int, $8::int)), $5, $6)
       )
       insert into refresh_tokens (token_hash, session_id, expires_at) values ($4, $1, now() + make_interval(days => $7::int))`,
      [id, admin.user._id, new Date(), hashToken(token), null, null, 30, 180],
    );
    return { id, token };
  },
  /** `fresh`, `repeatable` or `spent`, as it sees a token; undefined for one that it does not know. */
  async stateOf(token: string) {
    const [row] = await service.query(
      `select case when token.rotated_at is null then 'fresh'
                   when successor.token_hash is not null and successor.rotated_at is null then 'repeatable'
                   else 'spent' end as state
       from refresh_tokens token left join refresh_tokens successor on successor.token_hash = $2
       where token.token_hash = $1`,
      [hashToken(token), hashToken(successorOf(token))],
    );
    return row?.state;
  },
  async renew(token: string) {
    expect(await before.stateOf(token)).toBe('fresh');
    const [session] = await service.query(
      `select id, user_id, created_at from sessions
       where id = (select session_id from refresh_tokens where token_hash = $1 and expires_at > now())
         and expires_at > now() and created_at > now() - make_interval(days => $2::int)
       for update`,
      [hashToken(token), 180],
    );
    await service.query(
      `with old as (
         update refresh_tokens set rotated_at = clock_timestamp() where token_hash = $2
       )
       insert into refresh_tokens (token_hash, session_id, expires_at)
       values ($3, $1, now() + make_interval(days => $4::int))`,
      [session?.id, hashToken(token), hashToken(successorOf(token)), 30],
    );
    return successorOf(token);
  },
};

describe('beside pods that keep a row for each refresh token', () => {
  it('goes on with a session that one of them opened', async () => {
    const { id, token } = await before.signIn();
    const first = await renewed(token);
    expect(first).toMatch(new RegExp(`^${id}\\.0\\.`));
    expect(await renewed(token)).toBe(first);
    const second = await renewed(first);
    expect(await renewed(first)).toBe(second);
    await refused(token);
    expect(await isThere(id)).toBe(false);
    await refused(second);
  });

  it('gives the successor that one of them made, whose answer was lost', async () => {
    const { token } = await before.signIn();
    const lost = await before.renew(token);
    expect(await renewed(token)).toBe(lost);
    await renewed(lost);
    await refused(token);
    await refused(lost);
  });

  it('opens sessions with which they go on, to and fro', async () => {
    const session = (await signIn(service, admin.user.email)).body as SignedIn;
    const theirs = await before.renew(session.refreshToken);
    expect(await renewed(session.refreshToken)).toBe(theirs);
    const ours = await renewed(theirs);
    const again = await before.renew(await renewed(ours));
    const last = await renewed(again);
    expect(await before.stateOf(last)).toBe('fresh');
    await refused(session.refreshToken);
    expect(await isThere(sessionOf(session))).toBe(false);
  });

  it('leaves them no token that it has exchanged', async () => {
    const { refreshToken } = (await signIn(service, admin.user.email)).body as SignedIn;
    const next = await renewed(refreshToken);
    expect(await before.stateOf(refreshToken)).toBeUndefined();
    expect(await before.stateOf(next)).toBe('fresh');
  });
});
