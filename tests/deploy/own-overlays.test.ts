import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { environmentFaults } from './checks/environment.ts';
import { publicPaths } from './checks/references.ts';
import { rolloutFaults } from './checks/rollout.ts';
import { containersOf, ofKind, workloadsOf } from './manifest.ts';
import { configReader } from './read-config.ts';
import { renderFolder } from './render-overlay.ts';
import { madeSecrets } from './secrets.ts';

// What somebody has who stands an overlay of their own over one of these (docs/self-hosting/kubernetes.md): `own-*`.
const read = (file: string): string => readFileSync(join(CHECKOUT, file), 'utf8');

it.each([
  ['deploy/overlays/small', 'Ingress', 'atrium.example.com'],
  ['tests/deploy/with-gateway-api', 'HTTPRoute', 'atrium.example.com'],
  // What is built on has its host already, so an overlay over it has to give it another one; a port belongs to no host.
  ['tests/deploy/own-small', 'Ingress', 'my.host.org'],
  ['tests/deploy/own-large', 'Ingress', 'my.host.org'],
  ['tests/deploy/own-gateway-api', 'HTTPRoute', 'my.host.org'],
] as const)('sends sockets to chat, and all else to the gateway: %s, by one %s of %s', async (folder, kind, host) => {
  const objects = await renderFolder(folder);
  const ways = objects.filter((one) => one.kind === 'Ingress' || one.kind === 'HTTPRoute');
  expect(ways.map((one) => one.kind)).toEqual([kind]);
  const [settings] = ofKind(objects, 'ConfigMap').filter(({ data }) => data.PUBLIC_URL !== undefined);
  expect(new URL(settings?.data.PUBLIC_URL ?? '').hostname).toBe(host);
  const paths = publicPaths(objects);
  expect(new Set(paths.map((path) => path.host))).toEqual(new Set([host]));
  const certified = ofKind(objects, 'Ingress').flatMap(({ spec }) => spec.tls.flatMap(({ hosts }) => hosts));
  expect(certified).toEqual(kind === 'Ingress' ? [host] : []);
  const leadsTo = (asked: string) =>
    paths
      .filter(({ path }) => asked.startsWith(path))
      .reduce((one, other) => (other.path.length > one.path.length ? other : one)).service;
  expect(leadsTo('/socket.io/')).toBe('chat');
  for (const asked of ['/', '/api/chat/messages', `/${settings?.data.S3_BUCKET}/a-file`])
    expect(leadsTo(asked)).toBe('gateway');
});

it.each(['small', 'large'])(
  'is taken by the controller of the class that the overlay of the page names: over %s',
  async (overlay) => {
    const [ingress] = ofKind(await renderFolder(`tests/deploy/own-${overlay}`), 'Ingress');
    expect(ingress?.spec.ingressClassName).toBe('nginx');
    const [, shown = ''] =
      /```yaml\n(# \.\.\/my-atrium[\s\S]*?)\n```/.exec(read('docs/self-hosting/kubernetes.md')) ?? [];
    const own: unknown = parse(read(`tests/deploy/own-${overlay}/kustomization.yaml`));
    expect(own).toMatchObject({ patches: z.object({ patches: z.array(z.unknown()) }).parse(parse(shown)).patches });
  },
);

it('has processes behind a load balancer that goes to pods serve on as the page says, and lets them', async () => {
  const objects = await renderFolder('tests/deploy/own-balancer');
  const ours = [...readdirSync(join(CHECKOUT, 'services')), 'gateway'];
  const readers = new Map(await Promise.all(ours.map(async (name) => [name, await configReader(name)] as const)));
  expect([...environmentFaults(objects, madeSecrets(), readers), ...rolloutFaults(objects)]).toEqual([]);
  const serving = workloadsOf(objects).flatMap((one) =>
    containersOf(one).flatMap(({ env }) => env.filter(({ name }) => name === 'DRAIN_SECONDS').map(() => one.name)),
  );
  expect(serving.sort()).toEqual(['chat', 'gateway']);
  const [, shown = ''] =
    /```yaml\n(patches:\n[^`]*DRAIN_SECONDS[^`]*)```/.exec(read('docs/self-hosting/kubernetes.md')) ?? [];
  expect(parse(read('tests/deploy/own-balancer/kustomization.yaml'))).toMatchObject(
    z.object({ patches: z.array(z.unknown()) }).parse(parse(shown)),
  );
});

it('stands beside the checkout and takes what the pages name: an overlay of ours with each of it is rendered', () => {
  const pages = readdirSync(join(CHECKOUT, 'docs/self-hosting'));
  const text = pages.map((page) => read(`docs/self-hosting/${page}`)).join('\n');
  // The target of a link is relative to its page, so it is no path for an overlay.
  const named = [
    ...text.matchAll(/(?<!\]\((?:\.\.\/)*)(?:\.\.\/)+(?:\w+\/)*(?:components|overlays|observability)[\w/-]*/g),
  ].flat();
  const fields = z.object({ resources: z.array(z.string()), components: z.array(z.string()).default([]) });
  const rendered = readdirSync(join(CHECKOUT, 'tests/deploy'))
    .filter((name) => /^(own|with)-[a-z-]+$/.test(name))
    .map((name) => fields.parse(parse(read(`tests/deploy/${name}/kustomization.yaml`))))
    .flatMap(({ resources, components }) => [...resources, ...components]);
  expect(rendered.map((path) => path.replace('../../../', '../atrium/'))).toEqual(expect.arrayContaining(named));
  expect(named.length).toBeGreaterThan(3);
});
