import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Started, startDocuments } from './factories.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments();
});
afterAll(() => started.service.close());

it('GET /documents/stats/history sums the stored files by day for administrators', async () => {
  const { service, people } = started;
  const readHistory = (timezone: string, as = people.admin) =>
    service.call('GET', `/documents/stats/history?${new URLSearchParams({ timezone })}`, { as });
  await service.query(
    `insert into objects (object_key, owner_id, sha256, size, mimetype, created_at)
     values ('a', 'o', 'a', 100, 'text/plain', '2026-10-01T20:00:00Z'), ('b', 'o', 'b', 5000000000, 'text/plain', '2026-10-01T23:00:00Z'),
            ('c', 'o', 'c', 7, 'text/plain', '2026-10-03T00:00:00Z')`,
  );
  expect((await readHistory('UTC')).body).toEqual({
    days: [
      { day: '2026-10-01', files: 2, bytes: 5_000_000_100 },
      { day: '2026-10-03', files: 1, bytes: 7 },
    ],
  });
  expect((await readHistory('Europe/Berlin')).body).toEqual({
    days: [
      { day: '2026-10-01', files: 1, bytes: 100 },
      { day: '2026-10-02', files: 1, bytes: 5_000_000_000 },
      { day: '2026-10-03', files: 1, bytes: 7 },
    ],
  });
  expect((await readHistory('UTC', people.uploader)).status).toBe(403);
  expect((await readHistory('Mars/Olympus')).status).toBe(400);
  expect((await service.call('GET', '/documents/stats/history')).status).toBe(401);
});
