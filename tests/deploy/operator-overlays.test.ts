import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { environmentViolations, generateSecrets } from './checks/environment.ts';
import { publicPaths } from './checks/references.ts';
import { rolloutViolations } from './checks/rollout.ts';
import { containersOf, ofKind, workloadsOf } from './manifest.ts';
import { configReader } from './read-config.ts';
import { renderFolder } from './render-overlay.ts';

// The folders `own-*` contain overlays that an operator builds on those of this repository
// (docs/self-hosting/kubernetes.md).
const read = (file: string): string => readFileSync(join(CHECKOUT, file), 'utf8');

it.each([
  ['deploy/overlays/small', 'Ingress', 'atrium.example.com'],
  ['tests/deploy/with-gateway-api', 'HTTPRoute', 'atrium.example.com'],
  // Rendered overlays already have a host name, which an operator's overlay must replace. NodePorts have none.
  ['tests/deploy/own-small', 'Ingress', 'my.host.org'],
  ['tests/deploy/own-large', 'Ingress', 'my.host.org'],
  ['tests/deploy/own-gateway-api', 'HTTPRoute', 'my.host.org'],
] as const)(
  'overlay %s routes sockets to chat and everything else to the gateway, with one %s for %s',
  async (folder, kind, host) => {
    const objects = await renderFolder(folder);
    const routes = objects.filter((object) => object.kind === 'Ingress' || object.kind === 'HTTPRoute');
    expect(routes.map((object) => object.kind)).toEqual([kind]);
    const [settings] = ofKind(objects, 'ConfigMap').filter(({ data }) => data.PUBLIC_URL !== undefined);
    expect(new URL(settings?.data.PUBLIC_URL ?? '').hostname).toBe(host);
    const paths = publicPaths(objects);
    expect(new Set(paths.map((path) => path.host))).toEqual(new Set([host]));
    const tlsHosts = ofKind(objects, 'Ingress').flatMap(({ spec }) => spec.tls.flatMap(({ hosts }) => hosts));
    expect(tlsHosts).toEqual(kind === 'Ingress' ? [host] : []);
    const findService = (requested: string) =>
      paths.filter(({ path }) => requested.startsWith(path)).reduce((a, b) => (b.path.length > a.path.length ? b : a))
        .service;
    expect(findService('/socket.io/')).toBe('chat');
    for (const requested of ['/', '/api/chat/messages', `/${settings?.data.S3_BUCKET}/a-file`])
      expect(findService(requested)).toBe('gateway');
  },
);

it.each(['small', 'large'])("an operator's overlay over %s has the documented ingress class", async (overlay) => {
  const [ingress] = ofKind(await renderFolder(`tests/deploy/own-${overlay}`), 'Ingress');
  expect(ingress?.spec.ingressClassName).toBe('nginx');
  const [, documented = ''] =
    /```yaml\n(# \.\.\/my-atrium[\s\S]*?)\n```/.exec(read('docs/self-hosting/kubernetes.md')) ?? [];
  const kustomization: unknown = parse(read(`tests/deploy/own-${overlay}/kustomization.yaml`));
  expect(kustomization).toMatchObject({
    patches: z.object({ patches: z.array(z.unknown()) }).parse(parse(documented)).patches,
  });
});

it('an overlay for a pod-aware load balancer drains processes as documented, within their grace period', async () => {
  const objects = await renderFolder('tests/deploy/own-balancer');
  const processes = [...readdirSync(join(CHECKOUT, 'services')), 'gateway'];
  const readers = new Map(await Promise.all(processes.map(async (name) => [name, await configReader(name)] as const)));
  expect([...environmentViolations(objects, generateSecrets(), readers), ...rolloutViolations(objects)]).toEqual([]);
  const drainedWorkloads = workloadsOf(objects).flatMap((workload) =>
    containersOf(workload).flatMap(({ env }) =>
      env.filter(({ name }) => name === 'DRAIN_SECONDS').map(() => workload.name),
    ),
  );
  expect(drainedWorkloads.sort()).toEqual(['chat', 'gateway']);
  const [, documented = ''] =
    /```yaml\n(patches:\n[^`]*DRAIN_SECONDS[^`]*)```/.exec(read('docs/self-hosting/kubernetes.md')) ?? [];
  expect(parse(read('tests/deploy/own-balancer/kustomization.yaml'))).toMatchObject(
    z.object({ patches: z.array(z.unknown()) }).parse(parse(documented)),
  );
});

it('every overlay and component that the documentation uses is part of a tested overlay', () => {
  const pages = readdirSync(join(CHECKOUT, 'docs/self-hosting'));
  const text = pages.map((page) => read(`docs/self-hosting/${page}`)).join('\n');
  // Link targets are relative to their page and not paths for an overlay.
  const documentedPaths = [
    ...text.matchAll(/(?<!\]\((?:\.\.\/)*)(?:\.\.\/)+(?:\w+\/)*(?:components|overlays|observability)[\w/-]*/g),
  ].flat();
  const fields = z.object({ resources: z.array(z.string()), components: z.array(z.string()).default([]) });
  const testedPaths = readdirSync(join(CHECKOUT, 'tests/deploy'))
    .filter((name) => /^(own|with)-[a-z-]+$/.test(name))
    .map((name) => fields.parse(parse(read(`tests/deploy/${name}/kustomization.yaml`))))
    .flatMap(({ resources, components }) => [...resources, ...components]);
  expect(testedPaths.map((path) => path.replace('../../../', '../atrium/'))).toEqual(
    expect.arrayContaining(documentedPaths),
  );
  expect(documentedPaths.length).toBeGreaterThan(3);
});
