import { describe, expect, it } from '@jest/globals';
import { connections, requestsOf } from './checks/capacity.ts';
import { containerFaults, ownProbeFaults } from './checks/containers.ts';
import { environmentFaults } from './checks/environment.ts';
import { referenceFaults } from './checks/references.ts';
import { migrationFaults, rolloutFaults } from './checks/rollout.ts';
import { secretsInText } from './checks/secrets.ts';
import { securityFaults } from './checks/security.ts';
import type { KubeObject } from './manifest.ts';
import { type Overlay, renderOverlay } from './render-overlay.ts';
import { schemaFaults } from './schemas/validate.ts';
import { madeSecrets } from './secrets.ts';

type Path = readonly (string | number)[];

/** One place of an object that is good with another value, or without it where that is undefined. */
const withValue = (value: unknown, [key, ...rest]: Path, put: unknown): unknown => {
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withValue(item, rest, put) : item));
  const before = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const old = before.find(([name]) => name === key)?.[1];
  return Object.fromEntries([
    ...before.filter(([name]) => name !== key),
    ...(rest.length === 0 && put === undefined ? [] : [[key, withValue(old, rest, put)]]),
  ]);
};

const FROM: Readonly<Record<string, Overlay>> = {
  HTTPRoute: 'with-gateway-api',
  PodMonitor: 'with-observability',
  PrometheusRule: 'with-observability',
};

/** What `small` renders to, with what is added to it for objects of that kind, and one fault in one object. */
const spoilt = async (kind: string, name: RegExp, ...changes: readonly (readonly [path: string, put: unknown])[]) => {
  const objects = await renderOverlay(FROM[kind] ?? 'small');
  const found = objects.findIndex((one) => one.kind === kind && name.test(one.metadata.name));
  expect(found).toBeGreaterThanOrEqual(0);
  const parts = (path: string): Path => path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return objects.map((one, index) =>
    index === found ? changes.reduce((sum, [path, put]) => withValue(sum, parts(path), put) as KubeObject, one) : one,
  );
};

const APP = 'spec.template.spec.containers.0';
const POD = 'spec.template.spec';

describe('what is found in a pod', () => {
  it.each([
    ['may run as root', `${POD}.securityContext.runAsNonRoot`, undefined],
    ['runs as no user of its own', `${POD}.securityContext.runAsUser`, 0],
    ['has no seccomp profile', `${POD}.securityContext.seccompProfile`, undefined],
    ['shares the network', `${POD}.hostNetwork`, true],
    ['shares the network, the processes', `${POD}.hostPID`, true],
    ['mounts a folder of its node', `${POD}.volumes.0`, { name: 'tmp', hostPath: { path: '/' } }],
    ['is given a token', `${POD}.automountServiceAccountToken`, undefined],
    ['is privileged', `${APP}.securityContext.privileged`, true],
    ['may gain privileges', `${APP}.securityContext.allowPrivilegeEscalation`, undefined],
    ['may write to its root file system', `${APP}.securityContext.readOnlyRootFilesystem`, false],
    ['keeps capabilities', `${APP}.securityContext.capabilities.drop`, ['NET_RAW']],
    ['keeps capabilities', `${APP}.securityContext.capabilities.add`, ['NET_ADMIN']],
    ['runs as root', `${APP}.securityContext.runAsUser`, 0],
  ])('a pod %s', async (fault, path, put) => {
    const faults = securityFaults(await spoilt('Deployment', /^chat$/, [path, put]));
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults[0]).toMatch(/^chat/);
  });

  it.each([
    ['which may be another tomorrow', 'image', 'atrium/chat'],
    ['which may be another tomorrow', 'image', 'registry:5000/atrium/chat'],
    ['which may be another tomorrow', 'image', 'atrium/chat:latest'],
    ['asks a registry', 'imagePullPolicy', 'Always'],
    ['requests no cpu', 'resources.requests.cpu', undefined],
    ['has no limit of memory', 'resources.limits.memory', undefined],
    ['has no startupProbe', 'startupProbe', undefined],
    ['has no livenessProbe', 'livenessProbe', undefined],
    ['has a readinessProbe of port web', 'readinessProbe.httpGet.port', 'web'],
  ])('a container %s', async (fault, path, put) => {
    expect(containerFaults(await spoilt('Deployment', /^chat$/, [`${APP}.${path}`, put]))).toEqual([
      expect.stringContaining(fault),
    ]);
  });

  it('a probe that asks for something else', async () => {
    const objects = await spoilt('Deployment', /^chat$/, [`${APP}.readinessProbe.httpGet.path`, '/livez']);
    expect(ownProbeFaults(objects)).toEqual(['chat: its readinessProbe asks /livez and not /readyz']);
  });

  it('the same in a StatefulSet, a Job and a sidecar', async () => {
    const writable = 'securityContext.readOnlyRootFilesystem';
    expect(securityFaults(await spoilt('StatefulSet', /^postgres$/, [`${APP}.${writable}`, false]))).toHaveLength(1);
    expect(securityFaults(await spoilt('Job', /^migrate-auth/, [`${APP}.${writable}`, false]))).toHaveLength(1);
    expect(
      securityFaults(await spoilt('StatefulSet', /^nats$/, [`${POD}.initContainers.0.${writable}`, false])),
    ).toHaveLength(1);
  });
});

it('finds an account that gives its token away, a namespace that is not restricted, and what is in none', async () => {
  const token = await spoilt('ServiceAccount', /^auth$/, ['automountServiceAccountToken', undefined]);
  expect(securityFaults(token)).toEqual(['the account auth gives its token to whoever uses it']);
  const open = await spoilt('Namespace', /^atrium$/, ['metadata.labels', {}]);
  expect(securityFaults(open)).toEqual(['the namespace atrium does not ask for restricted pods']);
  const nowhere = await spoilt('Service', /^auth$/, ['metadata', { name: 'auth', namespace: '', labels: {} }]);
  expect(securityFaults(nowhere)).toEqual(['Service auth is in no namespace']);
});

describe('what is found in text', () => {
  it.each([
    ['a password', [`${APP}.env.0`, { name: 'NATS_PASSWORD', value: 'abc' }]],
    ['an address of a store', [`${APP}.env.0`, { name: 'DATABASE_URL', value: 'postgres://postgres/atrium' }]],
    ['credentials in any address', [`${APP}.env.0`, { name: 'S3_ENDPOINT', value: 'http://me:mine@objects:9000' }]],
    ['credentials in an argument', [`${APP}.args`, ['--store=redis://:mine@redis']]],
    ['a private key', [`${APP}.env.0`, { name: 'PEM', value: '-----BEGIN EC PRIVATE KEY-----' }]],
  ] as const)('%s', async (_what, change) => {
    expect(secretsInText(await spoilt('Deployment', /^chat$/, change))).toHaveLength(1);
  });

  it('a setting, and a Secret that is written out', async () => {
    const setting = await spoilt('ConfigMap', /^atrium-/, ['data.KEY_ENCRYPTION_SECRET', 'abc']);
    expect(secretsInText(setting)).toEqual([expect.stringContaining('holds KEY_ENCRYPTION_SECRET')]);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine', namespace: 'atrium', labels: {} } };
    expect(secretsInText([secret])).toEqual(['the Secret mine is written out']);
  });

  it('and not what Kubernetes fills in', async () => {
    expect(
      secretsInText(
        await spoilt('Deployment', /^chat$/, [`${APP}.args`, ['--at', 'redis://:$(REDIS_PASSWORD)@redis']]),
      ),
    ).toEqual([]);
  });
});

describe('what is found between objects', () => {
  it.each([
    ['Service chat selects no pod', 'Service', 'spec.selector', { 'app.kubernetes.io/name': 'chats' }],
    ['Service chat selects the pods of', 'Service', 'spec.selector', { 'app.kubernetes.io/part-of': 'atrium' }],
    ['Service chat leads to port web', 'Service', 'spec.ports.0.targetPort', 'web'],
    ['does not select its own pods', 'Deployment', 'spec.selector.matchLabels', { a: 'b' }],
    ['selects the pods of', 'Deployment', 'spec.selector.matchLabels', { 'app.kubernetes.io/component': 'service' }],
    ['names the account nobody', 'Deployment', `${POD}.serviceAccountName`, 'nobody'],
    ['chat has 0 autoscalers', 'HorizontalPodAutoscaler', 'spec.scaleTargetRef.name', 'auth'],
    ['which is not there', 'HorizontalPodAutoscaler', 'spec.scaleTargetRef.name', 'chats'],
    ['has less than its least', 'HorizontalPodAutoscaler', 'spec.maxReplicas', 1],
    ['chat has 0 disruption budgets', 'PodDisruptionBudget', 'spec.selector.matchLabels', { a: 'b' }],
    ['is not one pod at a time', 'PodDisruptionBudget', 'spec.maxUnavailable', 0],
    ['keeps a pod that is not ready', 'PodDisruptionBudget', 'spec.unhealthyPodEvictionPolicy', undefined],
  ])('%s', async (fault, kind, path, put) => {
    const faults = referenceFaults(await spoilt(kind, /^chat$/, [path, put]));
    expect(faults).toEqual(expect.arrayContaining([expect.stringContaining(fault)]));
  });

  it('a path that leads nowhere', async () => {
    const objects = await spoilt('Ingress', /^atrium$/, ['spec.rules.0.http.paths.0.backend.service.name', 'chats']);
    expect(referenceFaults(objects)).toEqual(['the path /socket.io leads to Service chats, which has no such port']);
    const route = await spoilt('HTTPRoute', /^atrium$/, ['spec.rules.0.backendRefs.0.port', 3001]);
    expect(referenceFaults(route)).toEqual(['the path /socket.io leads to Service chat, which has no such port']);
  });

  it.each([
    ['selects no pod', 'spec.selector.matchLabels', { 'app.kubernetes.io/component': 'gateways' }],
    ['asks port public, which gateway does not have', 'spec.podMetricsEndpoints.0.port', 'public'],
  ])('a PodMonitor that %s', async (fault, path, put) => {
    const faults = referenceFaults(await spoilt('PodMonitor', /^atrium-gateway$/, [path, put]));
    expect(faults).toEqual([`the PodMonitor atrium-gateway ${fault}`]);
  });
});

describe('what a process is told', () => {
  it.each([
    ['no setting that it needs', 'ConfigMap', /^atrium-/, 'data.PUBLIC_URL', undefined, 'PUBLIC_URL: is missing'],
    ['a setting that it refuses', 'ConfigMap', /^atrium-/, 'data.NATS_REPLICAS', '7', 'NATS_REPLICAS'],
    [
      'a Secret that nobody makes',
      'Deployment',
      /^chat$/,
      `${APP}.envFrom.1.secretRef.name`,
      'mine',
      'there is no Secret mine',
    ],
    [
      'a key that its Secret has not',
      'Job',
      /^migrate-chat/,
      `${APP}.env.0.valueFrom.secretKeyRef.key`,
      'URL',
      'is taken from where it is not',
    ],
  ])('%s', async (_what, kind, name, path, put, fault) => {
    const { readConfig } = await import('../../services/auth/src/config.ts');
    const faults = environmentFaults(
      await spoilt(kind, name, [path, put]),
      madeSecrets(),
      new Map([['auth', readConfig]]),
    );
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });
});

describe('what is felt when pods are replaced', () => {
  it.each([
    ['chat is ended after 10 seconds', `${POD}.terminationGracePeriodSeconds`, 10],
    ['chat is ended after 30 seconds, and may need 85', `${APP}.env`, [{ name: 'DRAIN_SECONDS', value: '60' }]],
    ['is not spread by topology.kubernetes.io/zone', `${POD}.topologySpreadConstraints.1.topologyKey`, 'rack'],
    ['expected 0', 'spec.strategy.rollingUpdate.maxUnavailable', 1],
    ['which is for its autoscaler', 'spec.replicas', 3],
  ])('%s', async (fault, path, put) => {
    expect(rolloutFaults(await spoilt('Deployment', /^chat$/, [path, put]))).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    ['is migrated by the image', `${APP}.image`, 'atrium/chat:0.0.9'],
    ['does not migrate', `${APP}.args`, []],
    ['always the same name', 'metadata.name', 'migrate-chat'],
    ['nothing migrates chat', 'spec.template.metadata.labels', {}],
  ])('%s', async (fault, path, put) => {
    const objects = await spoilt('Job', /^migrate-chat/, [path, put]);
    expect(migrationFaults(objects, ['auth', 'chat'])).toEqual([expect.stringContaining(fault)]);
  });
});

it('counts what pods ask for, and the connections that they may open', async () => {
  const before = await renderOverlay('small');
  const more = await spoilt('Deployment', /^chat$/, [`${APP}.resources.requests.cpu`, '540m']);
  // Two pods and the one that a rolling update starts besides.
  expect(requestsOf(more, 'cpu') - requestsOf(before, 'cpu')).toBeCloseTo(1.5);
  const scaled = await spoilt('HorizontalPodAutoscaler', /^chat$/, ['spec.maxReplicas', 60]);
  expect(connections(scaled)?.needed).toBeGreaterThan(connections(scaled)?.there ?? 0);
});

it.each([
  ['an unknown field', 'Deployment', `${APP}.imagePolicy`, 'Always', 'must NOT have additional properties'],
  ['a field of another type', 'Deployment', `${APP}.ports.0.containerPort`, '3000', 'must be integer'],
  ['a field that is missing', 'Deployment', `${APP}.name`, undefined, "must have required property 'name'"],
  ['an unknown kind', 'Service', 'kind', 'Servize', 'there is no such kind'],
  ['a word of no HTTPRoute', 'HTTPRoute', 'spec.rules.0.timeout', {}, 'must NOT have additional properties'],
  ['a time that is none', 'HTTPRoute', 'spec.rules.0.timeouts.request', '1 hour', 'must match pattern'],
  [
    'a word of no PodMonitor',
    'PodMonitor',
    'spec.podMetricsEndpoints.0.paths',
    '/',
    'must NOT have additional properties',
  ],
  [
    'an alert without a query',
    'PrometheusRule',
    'spec.groups.0.rules.0.expr',
    undefined,
    "must have required property 'expr'",
  ],
])('finds %s by the schemas of Kubernetes', async (_what, kind, path, put, fault) => {
  const faults = (await spoilt(kind, /^(chat|atrium|atrium-gateway)$/, [path, put])).flatMap(schemaFaults);
  expect(faults).toEqual(expect.arrayContaining([expect.stringContaining(fault)]));
});
