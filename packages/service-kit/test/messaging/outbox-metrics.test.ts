import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import { startService } from '@atrium/service-kit/service/start-service';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { NOTES_MIGRATIONS } from '../notes.ts';

it('outbox metrics report rejected and waiting rows', async () => {
  const database = await testDatabase('notes');
  const { prefix } = await testNats();
  const env = { PORT: '0', LOG_LEVEL: 'silent', NATS_URL: 'nats://127.0.0.1:9', NATS_PREFIX: prefix };
  const notes = { name: 'notes', migrations: NOTES_MIGRATIONS, create: () => ({ routes: [] }) };
  const service = await startService(notes, readEnv(postgresEnv, { ...env, DATABASE_URL: database }));
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  try {
    await waitFor(async () => (await metrics()).includes('dependency_up{dependency="postgres",service="notes"} 1'), {
      description: 'the schema',
    });
    expect(await metrics()).toContain('outbox_rows{state="rejected",service="notes"} 0');
    await queryDatabase(
      database,
      `insert into outbox (subject, message_id, aggregate, payload, rejected_at, created_at)
       select 'notes.note.written.v1', 'm' || n, 'note a', '{}', case when n > 2 then now() end, now() - n * interval '1 hour'
       from generate_series(1, 3) n`,
    );
    const text = await metrics();
    expect(text).toContain('outbox_rows{state="waiting",service="notes"} 2');
    expect(text).toContain('outbox_rows{state="rejected",service="notes"} 1');
    // The first waiting row, not the rejected one.
    expect(text).toMatch(/^outbox_oldest_seconds\{service="notes"\} 36\d\d(\.\d+)?$/m);
    expect(text).toContain('outbox_relay_leader{service="notes"} 0');
    expect(text).toContain('dependency_up{dependency="nats",service="notes"} 0');
    expect(text).toContain('dependency_up{dependency="postgres",service="notes"} 1');
    // Without a directory there is no age.
    expect(text).toContain('dependency_up{dependency="directory",service="notes"} 0');
    expect(text).not.toMatch(/^directory_/m);
    expect(text).toMatch(/^database_connections\{pool="requests",state="(idle|used)",service="notes"\} [1-9]/m);
    expect(text).toContain('database_pool_waiting{pool="requests",service="notes"} 0');
  } finally {
    await service.close();
  }
});
