import { services } from '@atrium/dev-server/system/services';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkQuery } from './monitoring/check-query.ts';
import { asScraped, readKubeState, type Series } from './monitoring/metrics.ts';
import { startReceiver } from './monitoring/otlp-receiver.ts';
import { readAlerts, readPanels, readRunbook } from './monitoring/queries.ts';
import { generateSampleTraffic, type SampleTraffic, fetchSeries, USER_INPUT } from './monitoring/sample-traffic.ts';

const PROCESSES = ['gateway', ...services.map(({ name }) => name)];

type Line = { process: string; text: string };

const lines: Line[] = [];
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let system: System;
let traffic: SampleTraffic;

beforeAll(async () => {
  receiver = await startReceiver();
  system = await startSystem({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      LOG_LEVEL: 'trace',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    onLine: (process, text) => lines.push({ process, text }),
    // Expected errors: one of a browser, and an upload while the object store is down.
    expectedErrors: [/Client error reported/, /File storage is not available/],
  });
  traffic = await generateSampleTraffic(system);
}, 600_000);
afterAll(async () => {
  try {
    await system?.stop();
  } finally {
    await receiver?.close();
  }
});

type Entry = {
  process: string;
  level?: number;
  msg?: string;
  requestId?: string;
  traceId?: string;
  route?: string;
  status?: number | string;
};

const parsed = (): Entry[] =>
  lines.flatMap(({ process, text }) =>
    PROCESSES.includes(process) && text.startsWith('{"level":')
      ? [{ process, ...(JSON.parse(text) as Omit<Entry, 'process'>) }]
      : [],
  );
const requests = () => parsed().filter(({ msg }) => msg === 'request');

describe('traces', () => {
  const spanOf = (service: string, name: string) =>
    waitFor(() => receiver.spans.find((span) => span.service === `atrium-${service}` && span.name === name), {
      description: `the span ${name} of ${service}`,
    });

  it('follow a request through the gateway, its service, the outbox, NATS, and chat to the sockets', async () => {
    const created = await spanOf('gateway', 'POST /projects');
    const delivered = await waitFor(
      () => receiver.spans.find(({ name, traceId }) => name === 'deliver changed' && traceId === created.traceId),
      { description: 'the delivery' },
    );
    await waitFor(() => receiver.ancestors(delivered).at(-1)?.spanId === created.spanId, {
      description: 'the complete trace',
    });
    expect(receiver.ancestors(delivered).map(({ service, name }) => `${service}: ${name}`)).toEqual([
      'atrium-chat: deliver changed',
      'atrium-projects: publish projects.project.created.v1',
      expect.stringMatching(/^atrium-projects: transaction/),
      'atrium-projects: POST /projects',
      'atrium-gateway: to projects',
      'atrium-gateway: POST /projects',
    ]);
    const names = receiver.spans.filter(({ traceId }) => traceId === created.traceId).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['outbox-insert', 'chat-project-conversations projects.project.created']),
    );
    expect(traffic.received.length).toBeGreaterThan(0);
  });

  it('follow an invitation to the sent email', async () => {
    const tracesOf = (wanted: string) =>
      receiver.spans.filter(({ name }) => name === wanted).map(({ traceId }) => traceId);
    // The email of an invitation that is accepted immediately is not sent.
    const isSent = () => tracesOf('POST /auth/invite').some((traceId) => tracesOf('send mail').includes(traceId));
    await waitFor(isSent, { description: 'the email' });
  });

  it('start with socket events, too, and contain no user input', async () => {
    const asked = await spanOf('chat', 'socket message:send');
    await waitFor(
      () => receiver.spans.some(({ name, traceId }) => name === 'deliver message:new' && traceId === asked.traceId),
      {
        description: 'the delivery',
      },
    );
    expect(traffic.personal.filter((text) => receiver.text().includes(text))).toEqual([]);
  });

  it('have ids in log lines, start at the gateway despite client headers, and are not exposed to clients', async () => {
    const theirs = 'ab'.repeat(16);
    const { headers } = await traffic.sendAnonymously('/auth/setup', {
      headers: { traceparent: `00-${theirs}-${'cd'.repeat(8)}-01` },
    });
    const id = headers.get('x-request-id');
    const found = await waitFor(
      () => {
        const both = requests().filter(({ requestId }) => requestId === id);
        return both.length === 2 ? both : undefined;
      },
      { description: 'the lines of gateway and auth' },
    );
    expect(new Set(found.map(({ traceId }) => traceId)).size).toBe(1);
    expect(found[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(found[0]?.traceId).not.toBe(theirs);
    expect([...headers.keys()].filter((name) => /^trace|^baggage/.test(name))).toEqual([]);
  });
});

describe('logs', () => {
  it('contain one line per request with user, route, status, and duration, and none for probes and metrics', async () => {
    const { headers } = await traffic.admin.call('GET', `/projects/${traffic.project}`);
    const id = headers.get('x-request-id');
    const found = await waitFor(
      () => {
        const both = requests().filter(({ requestId }) => requestId === id);
        return both.length === 2 ? both : undefined;
      },
      { description: 'the lines of gateway and projects' },
    );
    for (const line of found) {
      expect(line).toMatchObject({
        level: 30,
        method: 'GET',
        route: '/projects/:id',
        status: 200,
        userId: traffic.admin.id,
      });
      expect(line).toMatchObject({ ms: expect.any(Number), bytes: expect.any(Number) });
    }
    await fetchSeries(system, 'projects');
    await traffic.sendAnonymously('/health', {});
    expect(requests().filter(({ route }) => route === 'probe')).toEqual([]);
    expect(requests().find(({ status }) => status === 'aborted')).toMatchObject({ method: 'POST', route: '/projects' });
  });

  it('contain no user input, names, credentials, or locations', () => {
    const ours = lines.filter(({ process }) => PROCESSES.includes(process));
    expect(ours.length).toBeGreaterThan(60);
    expect(ours.filter(({ text }) => text.includes('Client error reported'))).toHaveLength(2);
    const found = traffic.personal.flatMap((word) =>
      ours.filter(({ text }) => text.includes(word)).map(({ process, text }) => `${word} in ${process}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});

describe('dashboards and alerts', () => {
  let exported: Series[] = [];
  let series: Series[] = [];
  beforeAll(async () => {
    exported = (await Promise.all(PROCESSES.map((name) => fetchSeries(system, name)))).flat();
    series = exported.map(asScraped);
  });

  it('do not conflict with labels added by scraping', () => {
    const own = new Set(exported.flatMap(({ labels }) => [...labels.keys()]));
    expect(['namespace', 'pod', 'container', 'endpoint', 'job', 'instance'].filter((label) => own.has(label))).toEqual(
      [],
    );
  });

  it('query only exported metrics in panels', () => {
    const panels = readPanels();
    expect(panels.length).toBeGreaterThan(30);
    expect(panels.flatMap(({ place, expr }) => checkQuery(expr, series).map((fault) => `${place}: ${fault}`))).toEqual(
      [],
    );
  });

  it('query only metrics of processes and kube-state-metrics in alerts', () => {
    const alerts = readAlerts();
    const all = [...series, ...readKubeState()];
    expect(alerts.length).toBeGreaterThan(20);
    expect(alerts.flatMap(({ alert, expr }) => checkQuery(expr, all).map((fault) => `${alert}: ${fault}`))).toEqual([]);
  });

  it('would fail with an unknown CronJob', () => {
    expect(checkQuery('kube_cronjob_created{cronjob="backups"}', readKubeState())).toEqual([
      'kube_cronjob_created never has cronjob="backups"',
    ]);
  });

  it.each([
    ['rate(nothing_total[5m]) > 0', 'no process exports nothing_total'],
    ['outbox_rows{status="waiting"}', 'outbox_rows has no label status'],
    ['outbox_rows{state="wating"}', 'outbox_rows never has state="wating"'],
    ['outbox_rows{state=~"waiting|refusd"}', 'outbox_rows never has state=~"refusd"'],
    ['outbox_rows{state!="wating"}', 'outbox_rows never has state="wating"'],
    ['outbox_rows{state!~"waiting|refusd"}', 'outbox_rows never has state=~"refusd"'],
    ['outbox_rows{state!~"wait"}', 'outbox_rows never has state=~"wait"'],
    [
      'outbox_rows{state="waiting",state!~"wait.*"}',
      'outbox_rows never has state="waiting",state!~"wait.*" at the same time',
    ],
    ['sum by (queue) (outbox_rows)', 'outbox_rows cannot be grouped by queue'],
    ['sum(rate(outbox_rows[5m])', 'cannot be read at 25: '],
  ])('would fail with %s', (query, fault) => {
    expect(checkQuery(query, series)).toContain(fault);
  });

  it('have exactly one runbook section for each alert', () => {
    const alerts = readAlerts();
    expect([...readRunbook().keys()].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook).toBe(`docs/self-hosting/alerts.md#${alert.toLowerCase()}`);
    }
  });

  it('explain each dependency in the runbook', () => {
    const dependencies = new Set(
      series.flatMap(({ name, labels }) => (name === 'dependency_up' ? (labels.get('dependency') ?? '') : [])),
    );
    expect(dependencies.size).toBeGreaterThan(6);
    const section = readRunbook().get('AtriumDependencyDown') ?? '';
    expect([...dependencies].filter((name) => !section.includes(`- \`${name}\``))).toEqual([]);
  });

  it('have no ids or request paths in labels', () => {
    const values = series.flatMap(({ labels }) => [...labels.values()]);
    expect(values.filter((value) => /[0-9a-f]{24}/.test(value) || value.includes(USER_INPUT.unknownPath))).toEqual([]);
  });
});
