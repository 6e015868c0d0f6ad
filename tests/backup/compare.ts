import type { System } from '@atrium/test-kit/system/start-system';
import type { Manifest } from '@atrium/tools/backup/manifest';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import { captureViews, createFetchAs, findDifferences, type Views } from '@atrium/tools/upgrade-snapshot/views';
import type { WriteTracker } from '../simulation/acknowledged-writes.ts';
import type { ReportResult } from '../simulation/failure-collector.ts';
import { findLostWrites } from '../simulation/verify.ts';
import type { Workload } from '../simulation/workload.ts';
import { type Client, expectStatus, signInClient } from '../workspace/workspace.ts';
import { assertWrites } from './assert-writes.ts';
import type { WriteHistory } from './history.ts';

/** The state of the first installation at the snapshot. */
export type SnapshotState = {
  manifest: Manifest;
  history: WriteHistory;
  work: Workload;
  views: Views;
  lena: Client;
  invitedEmail: string;
};

/** Compares a restored installation with the state of the first one at the snapshot. */
export async function compare(
  { url, mailboxUrl }: System,
  expected: SnapshotState,
  report: ReportResult,
): Promise<void> {
  const { manifest, history, work, views, lena, invitedEmail } = expected;
  const snapshotTime = Date.parse(manifest.cut.at);
  // Must come first: every later sign-in sends an email.
  report('no email is sent twice', await readEmailSubjects(mailboxUrl));
  const restoredViews = await captureViews(createFetchAs({ tokensFrom: url, url }));
  report(
    'every list is the same as before the backup',
    findDifferences(views, restoredViews, { allowsOtherChanges: true }),
  );
  const findLost = (writes: WriteTracker) => findLostWrites(url, work.fixture, writes);
  const before = await findLost(history.acknowledgedUntil(snapshotTime));
  const beforeOrNext = await findLost(history.includingNextChange(snapshotTime));
  assertWrites({ before, beforeOrNext, after: await findLost(history.startedAfter(snapshotTime)) }, report);
  report('a user who was signed in still is', await findTokenErrors(url, lena));
  report(
    'an invitation whose email was queued at the backup is reported as not sent',
    await findInvitationErrors(url, invitedEmail),
  );
  report(
    'all later emails are about signing in',
    (await readEmailSubjects(mailboxUrl)).filter((subject) => !/sign-in/.test(subject)),
  );
}

/** Checks an access token and a refresh token that were issued before the backup. */
async function findTokenErrors(url: string, { token, refreshToken }: Client): Promise<string[]> {
  const profileResponse = await fetch(`${url}/api/users/profile`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const refreshResponse = await fetch(`${url}/api/auth/refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
  });
  return [
    ...(profileResponse.status === 200
      ? []
      : [`the access token from before the backup returned ${profileResponse.status}`]),
    ...(refreshResponse.status === 200
      ? []
      : [`the refresh token from before the backup returned ${refreshResponse.status}`]),
  ];
}

async function readEmailSubjects(mailboxUrl: string | undefined): Promise<string[]> {
  const { data } = (await (await fetch(`${mailboxUrl}/api/messages`)).json()) as { data: { subject: string }[] };
  return data.map(({ subject }) => subject);
}

async function findInvitationErrors(url: string, invitedEmail: string): Promise<string[]> {
  const maya = await signInClient(url, demoEmail('maya'), DEMO_PASSWORD);
  const list = await expectStatus(
    maya.call<{ data: { email: string; delivery: string }[] }>('GET', '/auth/invites?limit=100'),
    200,
  );
  const { delivery } = list.data.find(({ email }) => email === invitedEmail) ?? {};
  return delivery === 'failed' ? [] : [`delivery is ${delivery}`];
}
