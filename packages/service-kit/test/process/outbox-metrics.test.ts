import { postgresEnv, readEnv } from '@atrium/service-kit/process/env';
import { startService } from '@atrium/service-kit/process/start-service';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { NOTES_MIGRATIONS } from '../notes.ts';

it('the metrics of a service tell what NATS has refused, and what waits for it', async () => {
  const database = await testDatabase('notes');
  const { prefix } = await testNats();
  // Nobody is there: whatever is committed waits.
  const env = { PORT: '0', LOG_LEVEL: 'silent', NATS_URL: 'nats://127.0.0.1:9', NATS_PREFIX: prefix };
  const notes = { name: 'notes', migrations: NOTES_MIGRATIONS, create: () => ({ routes: [] }) };
  const service = await startService(notes, readEnv(postgresEnv, { ...env, DATABASE_URL: database }));
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  try {
    await waitFor(async () => (await metrics()).includes('outbox_rows{state="refused",service="notes"} 0'), {
      what: 'the schema',
    });
    await queryDatabase(
      database,
      `insert into outbox (subject, message_id, aggregate, payload, refused_at)
       select 'notes.note.written.v1', 'm' || n, 'note a', '{}', case when n > 2 then now() end from generate_series(1, 3) n`,
    );
    const text = await metrics();
    expect(text).toContain('outbox_rows{state="waiting",service="notes"} 2');
    expect(text).toContain('outbox_rows{state="refused",service="notes"} 1');
  } finally {
    await service.close();
  }
});
