import { describe, expect, it } from '@jest/globals';
import { computeConnectionBudget, requestsOf } from './checks/capacity.ts';
import { containerViolations, probePathViolations } from './checks/containers.ts';
import { environmentViolations, generateSecrets } from './checks/environment.ts';
import { referenceViolations } from './checks/references.ts';
import { migrationViolations, rolloutViolations } from './checks/rollout.ts';
import { plaintextSecretViolations } from './checks/secrets.ts';
import { securityViolations } from './checks/security.ts';
import type { KubeObject } from './manifest.ts';
import { type Overlay, renderOverlay } from './render-overlay.ts';
import { schemaErrors } from './schemas/validate.ts';

type Path = readonly (string | number)[];

/** Sets one field of an object, or removes it if the value is undefined. */
const withValue = (value: unknown, [key, ...rest]: Path, newValue: unknown): unknown => {
  if (key === undefined) return newValue;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withValue(item, rest, newValue) : item));
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const currentValue = entries.find(([name]) => name === key)?.[1];
  return Object.fromEntries([
    ...entries.filter(([name]) => name !== key),
    ...(rest.length === 0 && newValue === undefined ? [] : [[key, withValue(currentValue, rest, newValue)]]),
  ]);
};

const OVERLAY_BY_KIND: Readonly<Record<string, Overlay>> = {
  HTTPRoute: 'with-gateway-api',
  PodMonitor: 'with-observability',
  PrometheusRule: 'with-observability',
};

/** Renders an overlay and adds one defect to one object. */
const withDefect = async (
  kind: string,
  name: RegExp,
  ...changes: readonly (readonly [path: string, newValue: unknown])[]
) => {
  const objects = await renderOverlay(OVERLAY_BY_KIND[kind] ?? 'small');
  const targetIndex = objects.findIndex((object) => object.kind === kind && name.test(object.metadata.name));
  expect(targetIndex).toBeGreaterThanOrEqual(0);
  const parsePath = (path: string): Path => path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return objects.map((object, index) =>
    index === targetIndex
      ? changes.reduce((sum, [path, newValue]) => withValue(sum, parsePath(path), newValue) as KubeObject, object)
      : object,
  );
};

const APP = 'spec.template.spec.containers.0';
const POD = 'spec.template.spec';

describe('pod checks', () => {
  it.each([
    ['may run as root', `${POD}.securityContext.runAsNonRoot`, undefined],
    ['does not run as a dedicated user', `${POD}.securityContext.runAsUser`, 0],
    ['has no seccomp profile', `${POD}.securityContext.seccompProfile`, undefined],
    ['shares the network', `${POD}.hostNetwork`, true],
    ['shares the network, processes', `${POD}.hostPID`, true],
    ['mounts a folder of its node', `${POD}.volumes.0`, { name: 'tmp', hostPath: { path: '/' } }],
    ['mounts a token', `${POD}.automountServiceAccountToken`, undefined],
    ['is privileged', `${APP}.securityContext.privileged`, true],
    ['may gain privileges', `${APP}.securityContext.allowPrivilegeEscalation`, undefined],
    ['may write to its root file system', `${APP}.securityContext.readOnlyRootFilesystem`, false],
    ['keeps capabilities', `${APP}.securityContext.capabilities.drop`, ['NET_RAW']],
    ['keeps capabilities', `${APP}.securityContext.capabilities.add`, ['NET_ADMIN']],
    ['runs as root', `${APP}.securityContext.runAsUser`, 0],
  ])('find that a pod %s', async (violation, path, newValue) => {
    const violations = securityViolations(await withDefect('Deployment', /^chat$/, [path, newValue]));
    expect(violations).toEqual([expect.stringContaining(violation)]);
    expect(violations[0]).toMatch(/^chat/);
  });

  it.each([
    ['which is not pinned', 'image', 'atrium/chat'],
    ['which is not pinned', 'image', 'registry:5000/atrium/chat'],
    ['which is not pinned', 'image', 'atrium/chat:latest'],
    ['pulls an image', 'imagePullPolicy', 'Always'],
    ['requests no cpu', 'resources.requests.cpu', undefined],
    ['has no memory limit', 'resources.limits.memory', undefined],
    ['has no startupProbe', 'startupProbe', undefined],
    ['has no livenessProbe', 'livenessProbe', undefined],
    ['has a readinessProbe on port web', 'readinessProbe.httpGet.port', 'web'],
  ])('find a container that violates: %s', async (violation, path, newValue) => {
    expect(containerViolations(await withDefect('Deployment', /^chat$/, [`${APP}.${path}`, newValue]))).toEqual([
      expect.stringContaining(violation),
    ]);
  });

  it('find a probe with a wrong path', async () => {
    const objects = await withDefect('Deployment', /^chat$/, [`${APP}.readinessProbe.httpGet.path`, '/livez']);
    expect(probePathViolations(objects)).toEqual(['chat: its readinessProbe requests /livez instead of /readyz']);
  });

  it('find violations in a StatefulSet, a Job, and a sidecar', async () => {
    const writable = 'securityContext.readOnlyRootFilesystem';
    expect(
      securityViolations(await withDefect('StatefulSet', /^postgres$/, [`${APP}.${writable}`, false])),
    ).toHaveLength(1);
    expect(securityViolations(await withDefect('Job', /^migrate-auth/, [`${APP}.${writable}`, false]))).toHaveLength(1);
    expect(
      securityViolations(await withDefect('StatefulSet', /^nats$/, [`${POD}.initContainers.0.${writable}`, false])),
    ).toHaveLength(1);
  });
});

it('securityViolations finds a mounted service account token, an unrestricted namespace, and a missing namespace', async () => {
  const token = await withDefect('ServiceAccount', /^auth$/, ['automountServiceAccountToken', undefined]);
  expect(securityViolations(token)).toEqual(['service account auth mounts its token into pods']);
  const unrestricted = await withDefect('Namespace', /^atrium$/, ['metadata.labels', {}]);
  expect(securityViolations(unrestricted)).toEqual(['namespace atrium does not enforce restricted pods']);
  const withoutNamespace = await withDefect('Service', /^auth$/, [
    'metadata',
    { name: 'auth', namespace: '', labels: {} },
  ]);
  expect(securityViolations(withoutNamespace)).toEqual(['Service auth has no namespace']);
});

describe('plaintextSecretViolations', () => {
  it.each([
    ['a password', [`${APP}.env.0`, { name: 'NATS_PASSWORD', value: 'abc' }]],
    ['an address of a store', [`${APP}.env.0`, { name: 'DATABASE_URL', value: 'postgres://postgres/atrium' }]],
    ['credentials in any address', [`${APP}.env.0`, { name: 'S3_ENDPOINT', value: 'http://me:mine@objects:9000' }]],
    ['credentials in an argument', [`${APP}.args`, ['--store=redis://:mine@redis']]],
    ['a private key', [`${APP}.env.0`, { name: 'PEM', value: '-----BEGIN EC PRIVATE KEY-----' }]],
  ] as const)('finds %s', async (_label, change) => {
    expect(plaintextSecretViolations(await withDefect('Deployment', /^chat$/, change))).toHaveLength(1);
  });

  it('finds a secret in a ConfigMap, and a Secret in the manifests', async () => {
    const setting = await withDefect('ConfigMap', /^atrium-/, ['data.KEY_ENCRYPTION_SECRET', 'abc']);
    expect(plaintextSecretViolations(setting)).toEqual([expect.stringContaining('contains KEY_ENCRYPTION_SECRET')]);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine', namespace: 'atrium', labels: {} } };
    expect(plaintextSecretViolations([secret])).toEqual(['Secret mine is part of the manifests']);
  });

  it('ignores values substituted by Kubernetes', async () => {
    expect(
      plaintextSecretViolations(
        await withDefect('Deployment', /^chat$/, [`${APP}.args`, ['--at', 'redis://:$(REDIS_PASSWORD)@redis']]),
      ),
    ).toEqual([]);
  });
});

describe('reference checks', () => {
  it.each([
    ['Service chat selects no pod', 'Service', 'spec.selector', { 'app.kubernetes.io/name': 'chats' }],
    ['Service chat selects the pods of', 'Service', 'spec.selector', { 'app.kubernetes.io/part-of': 'atrium' }],
    ['Service chat targets port web', 'Service', 'spec.ports.0.targetPort', 'web'],
    ['does not select its own pods', 'Deployment', 'spec.selector.matchLabels', { a: 'b' }],
    ['selects the pods of', 'Deployment', 'spec.selector.matchLabels', { 'app.kubernetes.io/component': 'service' }],
    ['uses the missing service account nobody', 'Deployment', `${POD}.serviceAccountName`, 'nobody'],
    ['chat has 0 autoscalers', 'HorizontalPodAutoscaler', 'spec.scaleTargetRef.name', 'auth'],
    ['targets the missing Deployment', 'HorizontalPodAutoscaler', 'spec.scaleTargetRef.name', 'chats'],
    ['has a maximum below its minimum', 'HorizontalPodAutoscaler', 'spec.maxReplicas', 1],
    ['chat has 0 disruption budgets', 'PodDisruptionBudget', 'spec.selector.matchLabels', { a: 'b' }],
    ['does not allow exactly one pod at a time', 'PodDisruptionBudget', 'spec.maxUnavailable', 0],
    ['protects pods that are not ready', 'PodDisruptionBudget', 'spec.unhealthyPodEvictionPolicy', undefined],
  ])('report a defect with "%s"', async (violation, kind, path, newValue) => {
    const violations = referenceViolations(await withDefect(kind, /^chat$/, [path, newValue]));
    expect(violations).toEqual(expect.arrayContaining([expect.stringContaining(violation)]));
  });

  it('find a path to a missing port', async () => {
    const objects = await withDefect('Ingress', /^atrium$/, [
      'spec.rules.0.http.paths.0.backend.service.name',
      'chats',
    ]);
    expect(referenceViolations(objects)).toEqual([
      'path /socket.io is routed to Service chats, which has no such port',
    ]);
    const route = await withDefect('HTTPRoute', /^atrium$/, ['spec.rules.0.backendRefs.0.port', 3001]);
    expect(referenceViolations(route)).toEqual(['path /socket.io is routed to Service chat, which has no such port']);
  });

  it.each([
    ['selects no pod', 'spec.selector.matchLabels', { 'app.kubernetes.io/component': 'gateways' }],
    ['scrapes port public, which gateway does not have', 'spec.podMetricsEndpoints.0.port', 'public'],
  ])('find a PodMonitor that %s', async (violation, path, newValue) => {
    const violations = referenceViolations(await withDefect('PodMonitor', /^atrium-gateway$/, [path, newValue]));
    expect(violations).toEqual([`PodMonitor atrium-gateway ${violation}`]);
  });
});

describe('environment checks', () => {
  it.each([
    ['a missing setting', 'ConfigMap', /^atrium-/, 'data.PUBLIC_URL', undefined, 'PUBLIC_URL: is missing'],
    ['an invalid setting', 'ConfigMap', /^atrium-/, 'data.NATS_REPLICAS', '7', 'NATS_REPLICAS'],
    ['a missing Secret', 'Deployment', /^chat$/, `${APP}.envFrom.1.secretRef.name`, 'mine', 'Secret mine not found'],
    [
      'a missing key of a Secret',
      'Job',
      /^migrate-chat/,
      `${APP}.env.0.valueFrom.secretKeyRef.key`,
      'URL',
      'refers to a missing key',
    ],
  ])('find %s', async (_label, kind, name, path, newValue, violation) => {
    const { readConfig } = await import('../../services/auth/src/config.ts');
    const violations = environmentViolations(
      await withDefect(kind, name, [path, newValue]),
      generateSecrets(),
      new Map([['auth', readConfig]]),
    );
    expect(violations).toEqual([expect.stringContaining(violation)]);
  });
});

describe('rollout checks', () => {
  it.each([
    ['chat has a grace period of 10 seconds', `${POD}.terminationGracePeriodSeconds`, 10],
    ['chat has a grace period of 30 seconds, and may need 85', `${APP}.env`, [{ name: 'DRAIN_SECONDS', value: '60' }]],
    ['is not spread across topology.kubernetes.io/zone', `${POD}.topologySpreadConstraints.1.topologyKey`, 'rack'],
    ['expected 0', 'spec.strategy.rollingUpdate.maxUnavailable', 1],
    ['which its autoscaler controls', 'spec.replicas', 3],
  ])('report a Deployment with "%s"', async (violation, path, newValue) => {
    expect(rolloutViolations(await withDefect('Deployment', /^chat$/, [path, newValue]))).toEqual([
      expect.stringContaining(violation),
    ]);
  });

  it.each([
    ['is migrated by the image', `${APP}.image`, 'atrium/chat:0.0.9'],
    ['does not run migrations', `${APP}.args`, []],
    ['has a fixed name', 'metadata.name', 'migrate-chat'],
    ['chat has no migration Job', 'spec.template.metadata.labels', {}],
  ])('report a migration Job with "%s"', async (violation, path, newValue) => {
    const objects = await withDefect('Job', /^migrate-chat/, [path, newValue]);
    expect(migrationViolations(objects, ['auth', 'chat'])).toEqual([expect.stringContaining(violation)]);
  });
});

it('requestsOf and computeConnectionBudget sum up the requests and connections of all pods', async () => {
  const unchanged = await renderOverlay('small');
  const increased = await withDefect('Deployment', /^chat$/, [`${APP}.resources.requests.cpu`, '540m']);
  // Two pods, and a third during a rolling update.
  expect(requestsOf(increased, 'cpu') - requestsOf(unchanged, 'cpu')).toBeCloseTo(1.5);
  const scaled = await withDefect('HorizontalPodAutoscaler', /^chat$/, ['spec.maxReplicas', 60]);
  const { required, available } = computeConnectionBudget(scaled) ?? { required: 0, available: 0 };
  expect(required).toBeGreaterThan(available);
});

it.each([
  ['an unknown field', 'Deployment', `${APP}.imagePolicy`, 'Always', 'must NOT have additional properties'],
  ['a field of a different type', 'Deployment', `${APP}.ports.0.containerPort`, '3000', 'must be integer'],
  ['a missing required field', 'Deployment', `${APP}.name`, undefined, "must have required property 'name'"],
  ['an unknown kind', 'Service', 'kind', 'Servize', 'unknown kind'],
  ['an unknown field of an HTTPRoute', 'HTTPRoute', 'spec.rules.0.timeout', {}, 'must NOT have additional properties'],
  ['an invalid duration', 'HTTPRoute', 'spec.rules.0.timeouts.request', '1 hour', 'must match pattern'],
  [
    'an unknown field of a PodMonitor',
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
])('schemaErrors finds %s', async (_label, kind, path, newValue, violation) => {
  const violations = (await withDefect(kind, /^(chat|atrium|atrium-gateway)$/, [path, newValue])).flatMap(schemaErrors);
  expect(violations).toEqual(expect.arrayContaining([expect.stringContaining(violation)]));
});
