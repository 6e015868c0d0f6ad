import { type SecurityRecord, securityRecord } from '@atrium/proto-events/security-record';
import { createSecurityLog } from '@atrium/service-kit/http/security-log';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import type { OutboxRow } from '@atrium/service-kit/messaging/outbox';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { testNats } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { createTestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../test-app.ts';

const visitor = buildUser({ role: 'project_manager' });
const quiet = createLogger('notes', 'silent');
let app: Awaited<ReturnType<typeof startTestApp>>;
let messaging: Messaging;
const publishedRecords: SecurityRecord[] = [];
beforeAll(async () => {
  const nats = await testNats();
  messaging = await connectMessaging({
    access: { servers: nats.url },
    prefix: nats.prefix,
    replicas: 1,
    name: 'test',
    log: quiet,
  });
  messaging.connection.subscribe(messaging.subject('audit.notes.recorded.v1'), {
    callback: (_error, message) =>
      void publishedRecords.push(securityRecord.parse(message.json<{ data: unknown }>().data)),
  });
  app = await startTestApp({ proxies: ['127.0.0.1', '10.0.0.0/8'], messaging: Promise.resolve(messaging) });
  app.directory.putUser(visitor);
});
afterAll(async () => {
  await app.close();
  await messaging.connection.close();
});

const findRecords = (fields: Partial<SecurityRecord>) =>
  publishedRecords.filter((entry) =>
    Object.entries(fields).every(([name, value]) => entry[name as keyof SecurityRecord] === value),
  );
const readLines = () => app.log().flatMap(({ security, level }) => (level === 30 && security ? [security] : []));

describe('the security log', () => {
  it('records the first denial of a user immediately, with the IP address, and merges those that follow', async () => {
    const token = await app.tokens.sign(visitor, { sessionId: 'a'.repeat(24) });
    const headers = { 'x-forwarded-for': '203.0.113.9, 192.0.2.7, 10.1.1.1' };
    const post = () => app.call('POST', '/api/notes', { token, headers, body: { title: 'a' } });
    // Concurrent: sequentially they could take longer than the "minute" of the test.
    const responses = await Promise.all([post(), post(), post(), post()]);
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const denials = await waitFor(
      () => (findRecords({ status: 403 }).length > 1 ? findRecords({ status: 403 }) : undefined),
      {
        description: 'the end of the minute',
      },
    );
    const expectedDenial = { action: 'access.denied', outcome: 'denied', userId: visitor._id, address: '192.0.2.7' };
    const call = { method: 'POST', route: '/notes', status: 403, sessionId: 'a'.repeat(24) };
    expect(denials).toEqual([
      { ...expectedDenial, ...call },
      { ...expectedDenial, ...call, count: 3 },
    ]);
    // IP addresses are personal data and only in the record.
    const { address: _address, ...impersonal } = expectedDenial;
    expect(readLines()).toEqual([
      { ...impersonal, ...call },
      { ...impersonal, ...call, count: 3 },
    ]);
  });

  it('records the owner of an expired or revoked token, but nothing for an unknown one', async () => {
    const call = (token: string) => app.call('GET', '/api/notes/mine', { token });
    const expired = await app.tokens.sign(visitor, { issuedAt: Date.now() - 3_600_000 });
    expect((await call(expired)).status).toBe(401);
    expect(readLines().slice(2)).toMatchObject([{ action: 'token.rejected', userId: visitor._id }]);
    expect((await call('nonsense')).status).toBe(401);
    const forger = await createTestTokens();
    expect((await call(await forger.sign(buildUser()))).status).toBe(401);
    expect(readLines()).toHaveLength(3);
  });

  it('reports an untrusted proxy once', async () => {
    const untrustingApp = await startTestApp();
    const callThroughProxy = () =>
      untrustingApp.call('GET', '/api/notes', { headers: { 'x-forwarded-for': '192.0.2.7' } });
    await callThroughProxy();
    await callThroughProxy();
    const warnings = untrustingApp
      .log()
      .filter(({ level, msg }) => level === 40 && /TRUSTED_PROXIES/.test(String(msg)));
    expect(warnings).toHaveLength(1);
    await untrustingApp.close();
  });
});

describe('the event of a security record', () => {
  const entry = { action: 'sign-in.failed', outcome: 'failed', userId: null, address: '192.0.2.7' } as const;
  const log = createLogger('auth', 'silent');

  it('is published once NATS is available if no store accepts it, for the newest thousand, and counts lost ones', async () => {
    const nats = await testNats();
    const { promise, resolve } = Promise.withResolvers<Messaging>();
    let droppedCount = 0;
    const onDropped = () => {
      droppedCount += 1;
    };
    const getStore = () => () => Promise.reject(new Error('the database is unavailable'));
    const security = createSecurityLog({
      service: 'auth',
      log,
      messaging: promise,
      getSecurityRecordStore: getStore,
      onDropped,
    });
    for (let n = 0; n < 1_100; n += 1) await security.record({ ...entry, email: `n${n}@example.org` });
    const messaging = await connectMessaging({
      access: { servers: nats.url },
      prefix: nats.prefix,
      replicas: 1,
      name: 'test',
      log,
    });
    const received: { type: string; data: SecurityRecord }[] = [];
    messaging.connection.subscribe(messaging.subject('audit.auth.recorded.v1'), {
      callback: (_error, message) => void received.push(message.json()),
    });
    await messaging.connection.flush();
    resolve(messaging);
    await waitFor(() => received.at(-1)?.data.email === 'n1099@example.org', { description: 'the last record' });
    expect([received.length, droppedCount]).toEqual([1_000, 100]);
    expect(received[0]).toMatchObject({ type: 'audit.auth.recorded', data: { ...entry } });
    await security.close();
    await messaging.connection.close();
  });

  it('is stored before the response to a denial, and with the count of identical denials at the end of the minute', async () => {
    const stored: SecurityRecord[] = [];
    const getStore = () => async (row: OutboxRow) => {
      expect(row.subject).toBe('audit.auth.recorded.v1');
      stored.push((JSON.parse(row.payload) as { data: SecurityRecord }).data);
    };
    const security = createSecurityLog({
      service: 'auth',
      log,
      messaging: new Promise(() => undefined),
      getSecurityRecordStore: getStore,
    });
    for (let n = 0; n < 4; n += 1) await security.recordDenial(entry);
    expect(stored).toEqual([entry]);
    await security.close();
    expect(stored).toEqual([entry, { ...entry, count: 3 }]);
  });

  const createStoringLog = () => {
    const stored: SecurityRecord[] = [];
    const getStore =
      () =>
      async ({ payload }: OutboxRow) =>
        void stored.push((JSON.parse(payload) as { data: SecurityRecord }).data);
    return {
      stored,
      security: createSecurityLog({
        service: 'auth',
        log,
        messaging: new Promise(() => undefined),
        getSecurityRecordStore: getStore,
      }),
    };
  };

  it('records every address and email of attempts that follow a decoy', async () => {
    const { stored, security } = createStoringLog();
    const userId = 'a'.repeat(24);
    const decoy = { ...entry, userId, email: 'lena@example.org', address: '192.0.2.1' };
    const guesses = ['192.0.2.21', '192.0.2.22', '2001:db8::1'].map((address) => ({ ...decoy, address }));
    const spray = ['ceo', 'cfo', 'it'].map((name) => ({ ...entry, email: `${name}@example.org` }));
    const tokens = ['b', 'c'].map((letter) => ({
      ...({ action: 'token.rejected', outcome: 'denied', userId, address: '192.0.2.1', status: 401 } as const),
      ...{ method: 'GET', route: '/notes', sessionId: letter.repeat(24) },
    }));
    const all = [decoy, ...guesses, ...spray, ...tokens];
    for (const denial of [...all, ...all]) await security.recordDenial(denial);
    await security.close();
    expect(stored).toEqual([...all, ...all.map((denial) => ({ ...denial, count: 1 }))]);
  });

  it('records the network of identical denials from several of its addresses, or the single address', async () => {
    const { stored, security } = createStoringLog();
    const recordFrom = (address: string) => security.recordDenial({ ...entry, email: 'lena@example.org', address });
    await recordFrom('2001:db8:1:2::1');
    for (const host of ['2', '2']) await recordFrom(`2001:db8:1:2::${host}`);
    await security.close();
    for (const host of ['3', '4', '5', '5']) await recordFrom(`2001:db8:1:2::${host}`);
    await security.close();
    expect(stored.map(({ address, count, various }) => [address, count, various])).toEqual([
      ['2001:db8:1:2::1', undefined, undefined],
      ['2001:db8:1:2::2', 2, undefined],
      ['2001:db8:1:2::3', undefined, undefined],
      ['2001:db8:1:2::/64', 3, undefined],
    ]);
  });

  it('records no address, account, or email of denials that are merged because there are too many', async () => {
    const { stored, security } = createStoringLog();
    const buildDenial = (n: number) => ({
      ...entry,
      email: `n${n}@example.org`,
      address: `2001:db8:0:${n.toString(16)}::1`,
    });
    for (let n = 0; n < 10_010; n += 1) await security.recordDenial(buildDenial(n));
    await security.recordDenial({ ...buildDenial(10_010), userId: 'a'.repeat(24) });
    await security.recordDenial(buildDenial(0));
    await security.close();
    expect(stored).toHaveLength(10_003);
    expect(stored[10_000]).toEqual(buildDenial(10_000));
    expect(stored.slice(10_001)).toContainEqual({ ...buildDenial(0), count: 1 });
    const { email: _email, ...anonymous } = entry as SecurityRecord;
    expect(stored.slice(10_001)).toContainEqual({
      ...{ ...anonymous, address: null, count: 10 },
      various: ['userId', 'email', 'address'],
    });
  });

  it('stores pending counts when the process stops', async () => {
    const nats = await testNats();
    const messaging = await connectMessaging({
      access: { servers: nats.url },
      prefix: nats.prefix,
      replicas: 1,
      name: 'test',
      log,
    });
    const security = createSecurityLog({ service: 'auth', log, messaging: Promise.resolve(messaging) });
    const expectedDenial = { ...entry, action: 'access.denied', outcome: 'denied' } as const;
    for (let n = 0; n < 4; n += 1) await security.recordDenial(expectedDenial);
    await security.close();
    const stream = messaging.stream('audit');
    const { state } = await messaging.manager.streams.info(stream);
    const lastMessage = await messaging.manager.streams.getMessage(stream, { seq: state.last_seq });
    expect(lastMessage?.json()).toMatchObject({ data: { ...expectedDenial, count: 3 } });
    await messaging.connection.close();
  });
});
