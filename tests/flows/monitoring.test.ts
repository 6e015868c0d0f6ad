import { services } from '@atrium/dev-server/system/services';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkQuery } from './monitoring/check-query.ts';
import { addScrapeLabels, readKubeState, type Series } from './monitoring/metrics.ts';
import { startReceiver } from './monitoring/otlp-receiver.ts';
import { readAlerts, readPanels, readRunbook } from './monitoring/queries.ts';
import { fetchSeries, generateSampleTraffic, type SampleTraffic, USER_INPUT } from './monitoring/sample-traffic.ts';

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
    // The sample traffic includes an error of a browser, and an upload while the object store is down.
    expectedErrors: [/Client error reported/, /File storage is not available/],
  });
  traffic = await generateSampleTraffic(system);
});
afterAll(async () => {
  try {
    await system?.stop();
  } finally {
    await receiver?.close();
  }
});

type LogRecord = {
  process: string;
  level?: number;
  msg?: string;
  requestId?: string;
  traceId?: string;
  route?: string;
  status?: number | string;
};

const parseLines = (): LogRecord[] =>
  lines.flatMap(({ process, text }) =>
    PROCESSES.includes(process) && text.startsWith('{"level":')
      ? [{ process, ...(JSON.parse(text) as Omit<LogRecord, 'process'>) }]
      : [],
  );
const listRequests = () => parseLines().filter(({ msg }) => msg === 'request');

describe('traces', () => {
  const waitForSpan = (service: string, name: string) =>
    waitFor(() => receiver.spans.find((span) => span.service === `atrium-${service}` && span.name === name), {
      description: `the span ${name} of ${service} to arrive`,
    });

  it('follow a request through the gateway, its service, the outbox, NATS, and chat to the sockets', async () => {
    const requestSpan = await waitForSpan('gateway', 'POST /projects');
    const deliverySpan = await waitFor(
      () =>
        receiver.spans.find(({ name, traceId }) => name === 'deliver live updates' && traceId === requestSpan.traceId),
      { description: 'the delivery span to arrive' },
    );
    await waitFor(() => receiver.listPathToRoot(deliverySpan).at(-1)?.spanId === requestSpan.spanId, {
      description: 'the trace to be complete',
    });
    expect(receiver.listPathToRoot(deliverySpan).map(({ service, name }) => `${service}: ${name}`)).toEqual([
      'atrium-chat: deliver live updates',
      'atrium-projects: publish projects.project.created.v1',
      expect.stringMatching(/^atrium-projects: transaction/),
      'atrium-projects: POST /projects',
      'atrium-gateway: to projects',
      'atrium-gateway: POST /projects',
    ]);
    const names = receiver.spans.filter(({ traceId }) => traceId === requestSpan.traceId).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['outbox-insert', 'chat-project-conversations projects.project.created']),
    );
    expect(traffic.received.length).toBeGreaterThan(0);
  });

  it('follow an invitation to the sent email', async () => {
    const listTraceIds = (spanName: string) =>
      receiver.spans.filter(({ name }) => name === spanName).map(({ traceId }) => traceId);
    // Some invitations of the sample traffic are accepted immediately, and their emails are not sent.
    const isSent = () =>
      listTraceIds('POST /auth/invite').some((traceId) => listTraceIds('send mail').includes(traceId));
    await waitFor(isSent, { description: 'the email to be sent in the trace of its invitation' });
  });

  it('also start with socket events, and contain no user input', async () => {
    const socketSpan = await waitForSpan('chat', 'socket message:send');
    await waitFor(
      () =>
        receiver.spans.some(({ name, traceId }) => name === 'deliver message:new' && traceId === socketSpan.traceId),
      {
        description: 'the delivery span to arrive',
      },
    );
    expect(traffic.personal.filter((text) => receiver.text().includes(text))).toEqual([]);
  });

  it('have their id in log lines, ignore trace headers of clients, and are not exposed to clients', async () => {
    const clientTraceId = 'ab'.repeat(16);
    const { headers } = await traffic.sendThroughProxy('/auth/setup', {
      headers: { traceparent: `00-${clientTraceId}-${'cd'.repeat(8)}-01` },
    });
    const id = headers.get('x-request-id');
    const requestLines = await waitFor(
      () => {
        const requests = listRequests().filter(({ requestId }) => requestId === id);
        return requests.length === 2 ? requests : undefined;
      },
      { description: 'the log lines of gateway and auth' },
    );
    expect(new Set(requestLines.map(({ traceId }) => traceId)).size).toBe(1);
    expect(requestLines[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(requestLines[0]?.traceId).not.toBe(clientTraceId);
    expect([...headers.keys()].filter((name) => /^trace|^baggage/.test(name))).toEqual([]);
  });
});

describe('logs', () => {
  it('contain one line per request and process with its user, route, and status, and none for probes', async () => {
    const { headers } = await traffic.admin.call('GET', `/projects/${traffic.project}`);
    const id = headers.get('x-request-id');
    const requestLines = await waitFor(
      () => {
        const requests = listRequests().filter(({ requestId }) => requestId === id);
        return requests.length === 2 ? requests : undefined;
      },
      { description: 'the log lines of gateway and projects' },
    );
    for (const line of requestLines) {
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
    await traffic.sendThroughProxy('/health', {});
    expect(listRequests().filter(({ route }) => route === 'probe')).toEqual([]);
    expect(listRequests().find(({ status }) => status === 'aborted')).toMatchObject({
      method: 'POST',
      route: '/projects',
    });
  });

  it('contain no user input, names, credentials, or locations', () => {
    const atriumLines = lines.filter(({ process }) => PROCESSES.includes(process));
    expect(atriumLines.length).toBeGreaterThan(60);
    expect(atriumLines.filter(({ text }) => text.includes('Client error reported'))).toHaveLength(2);
    const exposures = traffic.personal.flatMap((word) =>
      atriumLines
        .filter(({ text }) => text.includes(word))
        .map(({ process, text }) => `${word} in ${process}: ${text}`),
    );
    expect(exposures).toEqual([]);
  });
});

describe('dashboards and alerts', () => {
  let exported: Series[] = [];
  let series: Series[] = [];
  beforeAll(async () => {
    exported = (await Promise.all(PROCESSES.map((name) => fetchSeries(system, name)))).flat();
    series = exported.map(addScrapeLabels);
  });

  it('are based on metrics without the labels that scraping adds', () => {
    const labelNames = new Set(exported.flatMap(({ labels }) => [...labels.keys()]));
    expect(
      ['namespace', 'pod', 'container', 'endpoint', 'job', 'instance'].filter((label) => labelNames.has(label)),
    ).toEqual([]);
  });

  it('query only exported metrics in panels', () => {
    const panels = readPanels();
    expect(panels.length).toBeGreaterThan(30);
    expect(panels.flatMap(({ panel, expr }) => checkQuery(expr, series).map((error) => `${panel}: ${error}`))).toEqual(
      [],
    );
  });

  it('query only metrics of processes and kube-state-metrics in alerts', () => {
    const alerts = readAlerts();
    const allSeries = [...series, ...readKubeState()];
    expect(alerts.length).toBeGreaterThan(20);
    expect(
      alerts.flatMap(({ alert, expr }) => checkQuery(expr, allSeries).map((error) => `${alert}: ${error}`)),
    ).toEqual([]);
  });

  it('are rejected with an unknown CronJob', () => {
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
  ])('are rejected with the query %s', (query, error) => {
    expect(checkQuery(query, series)).toContain(error);
  });

  it('have exactly one runbook section for each alert', () => {
    const alerts = readAlerts();
    expect([...readRunbook().keys()].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook).toBe(`docs/self-hosting/alerts.md#${alert.toLowerCase()}`);
    }
  });

  it('have a runbook that explains each dependency', () => {
    const dependencies = new Set(
      series.flatMap(({ name, labels }) => (name === 'dependency_up' ? (labels.get('dependency') ?? '') : [])),
    );
    expect(dependencies.size).toBeGreaterThan(6);
    const section = readRunbook().get('AtriumDependencyDown') ?? '';
    expect([...dependencies].filter((name) => !section.includes(`- \`${name}\``))).toEqual([]);
  });

  it('are based on metrics without ids or request paths in labels', () => {
    const values = series.flatMap(({ labels }) => [...labels.values()]);
    expect(values.filter((value) => /[0-9a-f]{24}/.test(value) || value.includes(USER_INPUT.unknownPath))).toEqual([]);
  });
});
