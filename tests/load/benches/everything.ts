import { setTimeout as delay } from 'node:timers/promises';
import { SEARCHES, type SearchType } from '@atrium/proto-events/http/search/everything';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { type Figure, median, percentile, recordTime, type TimesByName } from '../figures.ts';
import { startWriters } from '../list-writers.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { seedMeetings } from '../meetings/seed-meetings.ts';
import { viewerId } from '../search/seed-messages.ts';
import { type SeededLists, startSeededLists } from '../seeded-lists.ts';
import { seedLibrary } from './documents.ts';
import { seedSearch } from './search.ts';

const TASKS = Number(process.env.EVERYTHING_TASKS ?? 1_000_000);
const DOCUMENTS = Number(process.env.EVERYTHING_DOCUMENTS ?? 100_000);
const AMOUNTS = { users: TASKS / 10, projects: TASKS / 100, tasks: TASKS };
const WORKSPACE = 'everything';
const PREFIX = `bench_lists_${WORKSPACE}`;

const SEARCH_COUNT = 120;
/** Between two queries of a user who types. */
const PAUSE_MS = 150;
const FIRST_LIMIT_MS = 60;
const ALL_LIMIT_MS = 150;

/** As the search dialog requests them. */
const FIRST_TYPES: readonly SearchType[] = ['person', 'project', 'task', 'meeting'];
const LATER_TYPES: readonly SearchType[] = ['document', 'message'];

/**
 * Searches everything through the gateway as an administrator, who sees all meetings and documents, and as a member of
 * 500 conversations, while twenty users write: new terms, as the search dialog requests them. A second run with the same
 * `BENCH_HOME` searches the data of the first one.
 */
export async function benchEverything(environment: LoadEnvironment): Promise<Figure[]> {
  const startedAt = performance.now();
  const lists = await startSeededLists(environment, WORKSPACE, AMOUNTS);
  const services = await startOtherServices(environment);
  await seedOthers(environment, lists);
  environment.print(`  seeded after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const gateway = await environment.startGateway({
    USERS_URL: lists.urls.users,
    PROJECTS_URL: lists.urls.projects,
    MEETINGS_URL: services.meetings.url,
    DOCUMENTS_URL: services.documents.url,
    CHAT_URL: services.chat.url,
  });
  try {
    const urls = {
      gateway: gateway.url,
      person: lists.urls.users,
      project: lists.urls.projects,
      task: lists.urls.projects,
      meeting: services.meetings.url,
      document: services.documents.url,
      message: services.chat.url,
    };
    const quiet = await measure(urls, lists);
    const writers = startWriters(lists, {});
    const busy = await measure(urls, lists);
    await writers.stop();
    return [...toFigures('', quiet, false), ...toFigures(', while twenty users write', busy, true)];
  } finally {
    await Promise.all([gateway.stop(), lists.stop(), ...Object.values(services).map((service) => service.stop())]);
  }
}

async function startOtherServices(environment: LoadEnvironment) {
  const options = { prefix: PREFIX };
  return {
    meetings: await environment.startService('meetings', 'meetings', options),
    documents: await environment.startService('documents', 'documents', options),
    chat: await environment.startService('chat', 'search', options),
  };
}

async function seedOthers(environment: LoadEnvironment, { caller }: SeededLists): Promise<void> {
  const [meetings, search] = [environment.databaseUrl('meetings'), environment.databaseUrl('search')];
  await seedLibrary(environment, environment.databaseUrl('documents'), DOCUMENTS);
  const [seeded] = await queryDatabase(meetings, 'select count(*) as n from meetings');
  const ids = environment.users.map(({ _id }) => _id);
  if (Number(seeded?.n) === 0) await seedMeetings(meetings, { users: ids, projects: ids.slice(0, 100) });
  await seedSearch(search, environment.print);
  await queryDatabase(
    search,
    `insert into participants (conversation_id, user_id, last_read_seq)
     select conversation_id, $1, last_read_seq from participants where user_id = $2 on conflict do nothing`,
    [caller, viewerId('mixed')],
  );
}

type Measured = { times: TimesByName; missing: Record<string, number> };

async function measure(urls: Record<SearchType | 'gateway', string>, lists: SeededLists): Promise<Measured> {
  const measured: Measured = { times: {}, missing: {} };
  const terms = [lists.nextSearchTerm.tasks, lists.nextSearchTerm.projects, lists.nextSearchTerm.users];
  for (let index = 0; index < SEARCH_COUNT; index += 1) {
    const q = terms[index % terms.length]?.() ?? '';
    const startedAt = performance.now();
    const search = async (types: readonly SearchType[]) => {
      const query = new URLSearchParams({ q, types: types.join(','), limit: '5' });
      const response = await fetch(`${urls.gateway}/api/search?${query}`, { headers: lists.headers });
      const { missing } = (await response.json()) as { missing: string[] };
      for (const type of missing) measured.missing[type] = (measured.missing[type] ?? 0) + 1;
      return performance.now() - startedAt;
    };
    const [first, later] = await Promise.all([search(FIRST_TYPES), search(LATER_TYPES)]);
    recordTime(measured.times, 'first results', first);
    recordTime(measured.times, 'all results', Math.max(first, later));
    for (const type of [...FIRST_TYPES, ...LATER_TYPES].slice(0, index % 5 === 0 ? 6 : 0)) {
      const typeStartedAt = performance.now();
      await search([type]);
      recordTime(measured.times, `only ${type}`, performance.now() - typeStartedAt);
      await timeService(measured.times, { type, q, url: urls[type], headers: lists.headers });
    }
    await delay(PAUSE_MS);
  }
  return measured;
}

type ServiceSearch = { type: SearchType; q: string; url: string; headers: Record<string, string> };

/** Measures a service without the gateway. */
async function timeService(times: TimesByName, { type, q, url, headers }: ServiceSearch): Promise<void> {
  const startedAt = performance.now();
  await (await fetch(`${url}/api${SEARCHES[type].path}?${new URLSearchParams({ q, limit: '5' })}`, { headers })).text();
  recordTime(times, `service of ${type}`, performance.now() - startedAt);
}

function toFigures(when: string, { times, missing }: Measured, isLimited: boolean): Figure[] {
  const limits: Readonly<Record<string, number>> = { 'first results': FIRST_LIMIT_MS, 'all results': ALL_LIMIT_MS };
  const left = Object.entries(missing).map(([type, count]) => `${type} ${count}`);
  return Object.entries(times).map(([name, values]) => ({
    name: `search of everything: ${name}${when}`,
    value: percentile(values, 0.95),
    unit: ' ms',
    limit: isLimited ? (limits[name] ?? null) : null,
    sense: 'at most',
    detail: `95th percentile of ${values.length}; ${median(values).toFixed(1)} ms at the median, ${Math.max(...values).toFixed(0)} at most; missing: ${left.join(', ') || 'none'}`,
  }));
}
