import { unique } from './role-fixture.ts';
import { adminOnly, allCallers, type Row, row, signedInUsers } from './row.ts';

const SUBSCRIPTION = {
  endpoint: 'https://push.example.org/1',
  keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
  publicKey: 'B'.repeat(87),
};

const search = () => ({ query: { q: 'a' } });

/** Users, departments, and workspace-wide endpoints: all users can read, and administrators can write. */
export const USER_ROWS: readonly Row[] = [
  row('GET /users/profile', signedInUsers(200)),
  row('PATCH /users/profile', signedInUsers(200), () => ({ body: { bio: unique('Bio ') } })),
  row('GET /users/profile/preferences', signedInUsers(200)),
  row('PATCH /users/profile/preferences', signedInUsers(200), () => ({ body: { reminderMinutes: 30 } })),
  row('GET /users/profile/notices', signedInUsers(200)),
  row('PATCH /users/profile/notices', signedInUsers(200), () => ({ body: { digestTimes: ['09:00'] } })),
  row('GET /users/profile/notices/levels', signedInUsers(200)),
  row('PUT /users/profile/notices/levels/:resource/:id', signedInUsers(200), ({ actors }) => ({
    params: { resource: 'project', id: actors.stranger.id },
    body: { level: 'mentions' },
  })),
  row('GET /users', signedInUsers(200)),
  row('GET /users/project-managers', signedInUsers(200)),
  row('GET /users/search', signedInUsers(200), search),
  row('GET /users/stats/overview', signedInUsers(200)),
  row('GET /users/stats/history', adminOnly(200)),
  row('GET /users/:id', signedInUsers(200), ({ actors }) => ({ params: { id: actors.stranger.id } })),
  row('PATCH /users/:id', adminOnly(200), ({ actors }) => ({
    params: { id: actors.stranger.id },
    body: { bio: unique('Bio ') },
  })),
  row('DELETE /users/:id', adminOnly(204), async ({ make }) => ({ params: { id: (await make.user()).id } })),

  row('GET /departments', signedInUsers(200)),
  row('GET /departments/stats', signedInUsers(200)),
  row('GET /departments/:id', signedInUsers(200), async ({ make }) => ({ params: { id: await make.department() } })),
  row('POST /departments', adminOnly(201), () => ({ body: { name: unique('New department ') } })),
  row('PATCH /departments/:id', adminOnly(200), async ({ make }) => ({
    params: { id: await make.department() },
    body: { name: unique('Renamed ') },
  })),
  row('DELETE /departments/:id', adminOnly(204), async ({ make }) => ({ params: { id: await make.department() } })),

  row('GET /search', signedInUsers(200), search),
  row('GET /activity', adminOnly(200)),
  row('GET /activity/history', adminOnly(200)),
  row('GET /notifications', signedInUsers(200)),
  row('POST /notifications/read', signedInUsers(200), () => ({ body: { all: true } })),
  row('POST /notifications/unread', signedInUsers(200), () => ({ body: { ids: [] } })),
  // Any caller with a link from an email can, but not with this one.
  row('POST /notifications/unsubscribe/:token', allCallers(400), () => ({
    params: { token: `${'f'.repeat(24)}-mention-${'0'.repeat(40)}` },
  })),
  row('GET /push/key', signedInUsers(200)),
  // Any user can subscribe, but not with this push service.
  row('POST /push/subscriptions', signedInUsers(400), () => ({ body: SUBSCRIPTION })),
  row('DELETE /push/subscriptions/:id', signedInUsers(404), () => ({ params: { id: 'f'.repeat(24) } })),
  row('GET /health', allCallers(200)),
  row('POST /client-errors', allCallers(204), () => ({ body: { message: 'An error in a browser' } })),
];
