import type { System } from '@atrium/test-kit/system/start-system';
import type { Manifest } from '@atrium/tools/backup/manifest';
import { type Client, demand, signedIn } from '../flows/workspace.ts';
import type { Ledger } from '../simulation/acknowledged-writes.ts';
import type { Judge } from '../simulation/judge.ts';
import { askAt } from '../simulation/people.ts';
import { findLost } from '../simulation/verify.ts';
import { emailOf, findDifferences, lookAround, PASSWORD, type Views } from '../simulation/views.ts';
import type { Work } from '../simulation/work.ts';
import type { History } from './history.ts';
import { assertWrites } from './judge-writes.ts';

/** What is known of the first one at the moment of the cut. */
export type Known = { manifest: Manifest; history: History; work: Work; views: Views; lena: Client; invited: string };

/** Holds a restored Atrium against that. */
export async function compare({ url, mailboxUrl }: System, known: Known, judge: Judge): Promise<void> {
  const { manifest, history, work, views, lena, invited } = known;
  const cut = Date.parse(manifest.cut.at);
  // First of all: whoever signs in from here on is mailed about that.
  judge('nobody is mailed twice', await readMails(mailboxUrl));
  const now = await lookAround(askAt({ tokensFrom: url, url }));
  judge('every list shows what was there before as before', findDifferences(views, now, { others: true }));
  const look = (ledger: Ledger) => findLost(url, work.site, ledger);
  const sure = await look(history.upTo(cut));
  const next = await look(history.oneFurther(cut));
  assertWrites({ sure, next, late: await look(history.begunAfter(cut)) }, judge);
  judge('somebody who was signed in is still', await faultsOfTokens(url, lena));
  judge(
    'who invited somebody by a mail that waited is told that it was not sent',
    await faultsOfInvitation(url, invited),
  );
  judge(
    'and the mails of this time are about signing in',
    (await readMails(mailboxUrl)).filter((subject) => !/sign-in/.test(subject)),
  );
}

/** Both of their tokens are of before; no more is known of them here. */
async function faultsOfTokens(url: string, { token, refreshToken }: Client): Promise<string[]> {
  const profile = await fetch(`${url}/api/users/profile`, { headers: { authorization: `Bearer ${token}` } });
  const renewal = await fetch(`${url}/api/auth/refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
  });
  return [
    ...(profile.status === 200 ? [] : [`the access token of before is answered ${profile.status}`]),
    ...(renewal.status === 200 ? [] : [`the refresh token of before is answered ${renewal.status}`]),
  ];
}

async function readMails(mailboxUrl: string | undefined): Promise<string[]> {
  const { data } = (await (await fetch(`${mailboxUrl}/api/messages`)).json()) as { data: { subject: string }[] };
  return data.map(({ subject }) => subject);
}

async function faultsOfInvitation(url: string, invited: string): Promise<string[]> {
  const maya = await signedIn(url, emailOf('maya'), PASSWORD);
  const list = await demand(
    maya.call<{ data: { email: string; delivery: string }[] }>('GET', '/auth/invites?limit=100'),
    200,
  );
  const { delivery } = list.data.find(({ email }) => email === invited) ?? {};
  return delivery === 'failed' ? [] : [`it says ${delivery}`];
}
