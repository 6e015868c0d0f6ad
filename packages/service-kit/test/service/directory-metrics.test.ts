import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { startService } from '@atrium/service-kit/service/start-service';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { NOTES_MIGRATIONS } from '../notes.ts';

it('directory metrics of a service that waits for its schema report neither age nor size', async () => {
  const database = await testDatabase('notes');
  const { url, prefix } = await testNats();
  const env = { PORT: '0', LOG_LEVEL: 'silent', NATS_URL: url, NATS_PREFIX: prefix, MIGRATIONS: 'wait' };
  const notes = { name: 'notes', migrations: NOTES_MIGRATIONS, create: () => ({ routes: [] }) };
  const service = await startService(notes, readEnv(postgresEnv, { ...env, DATABASE_URL: database }));
  const readMetrics = async () => (await fetch(`${service.url}/metrics`)).text();
  try {
    const waitingMetrics = await readMetrics();
    expect(waitingMetrics).toContain('dependency_up{dependency="postgres",service="notes"} 0');
    expect(waitingMetrics).toContain('dependency_up{dependency="directory",service="notes"} 0');
    // An infinite age would count as stale, and zero users as diverged.
    expect(waitingMetrics).not.toMatch(/^directory_/m);
    expect(waitingMetrics).not.toMatch(/ [+-]?Inf$/m);

    await migrate(database, NOTES_MIGRATIONS);
    const upMetric = 'dependency_up{dependency="directory",service="notes"} 1';
    await waitFor(async () => (await readMetrics()).includes(upMetric), { description: 'the directory' });
    const text = await readMetrics();
    expect(text).toMatch(/^directory_age_seconds\S* \d/m);
    expect(text).toContain('directory_entries{kind="people",service="notes"} 0');
  } finally {
    await service.close();
  }
});
