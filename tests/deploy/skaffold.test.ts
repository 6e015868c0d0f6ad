import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { inspectors } from '@atrium/local/dev/inspectors';
import { describe, expect, it } from '@jest/globals';
import { exists, ROOT, read } from '../contracts/sources.ts';
import { renderFolder } from './render-overlay.ts';
import { readSkaffold, skaffoldContent } from './skaffold.ts';

const { build, manifests, portForward, profiles } = readSkaffold();
const variants = [{ name: 'dev', build, manifests, portForward }, ...profiles];
const stages = [...read('deploy/images/Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage);
const processes = inspectors.map(({ name }) => name);

describe('skaffold.yaml', () => {
  it.each(variants)(
    'builds every image of ours that its manifests name, by a stage that there is: $name',
    async (variant) => {
      const named = variant.build.artifacts.map(({ image }) => image);
      expect([...named].sort()).toEqual([...processes, 'mailbox'].map((name) => `atrium/${name}`).sort());
      const text = JSON.stringify(await Promise.all(variant.manifests.kustomize.paths.map(renderFolder)));
      const used = [...text.matchAll(/"image":"(atrium\/[a-z]+)[:"]/g)].map(([, image]) => image);
      expect([...new Set(used)].filter((image) => image !== 'atrium/backup' && !named.includes(image ?? ''))).toEqual(
        [],
      );
      for (const artifact of variant.build.artifacts) {
        const name = artifact.image.replace('atrium/', '');
        if ('docker' in artifact) {
          expect(artifact.docker).toMatchObject({
            dockerfile: 'deploy/images/Dockerfile',
            buildArgs: { SERVICE: name },
          });
          expect(stages).toContain(artifact.docker.target);
        } else {
          expect(artifact.custom.buildCommand).toContain(`--build-arg SERVICE=${name} -t "$IMAGE"`);
          expect(artifact.custom.dependencies.paths.filter((path) => !exists(path))).toEqual([]);
        }
      }
    },
  );

  it('copies every file that a process of the sources may load, and never builds a service for one of another', () => {
    const services = build.artifacts.filter((artifact) => 'docker' in artifact);
    expect(services).toHaveLength(processes.length - 1);
    const places = ['services/*/src', 'packages/*/src', 'proto-events/src', 'gateway/src', 'web/src', 'tools'];
    const files = places.flatMap((place) => globSync(`${place}/**/*.ts`, { cwd: ROOT }));
    expect(files.length).toBeGreaterThan(300);
    for (const { docker, sync } of services) {
      expect(docker.target).toBe('dev');
      const patterns = sync?.manual.map(({ src }) => src) ?? [];
      expect(files.filter((file) => !patterns.some((pattern) => matchesGlob(file, pattern)))).toEqual([]);
      expect(new Set(sync?.manual.map(({ dest }) => dest))).toEqual(new Set(['.']));
    }
  });

  it('lets files be copied into a service, and gives up nothing else that the overlay asks of it', async () => {
    const objects = await renderFolder('deploy/skaffold');
    const text = JSON.stringify(objects);
    expect(text.match(/"readOnlyRootFilesystem":false/g)).toHaveLength(processes.length - 1);
    expect(text).not.toContain('HorizontalPodAutoscaler');
    expect(text).not.toMatch(/"runAsNonRoot":false|"allowPrivilegeEscalation":true|"privileged":true/);
  });

  it.each(variants)(
    'forwards to Services that there are, at the address that people are told: $name',
    async (variant) => {
      const objects = await renderFolder(variant.manifests.kustomize.paths[0] ?? '');
      for (const { resourceName, namespace, port } of variant.portForward) {
        const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === resourceName);
        expect([resourceName, service?.metadata.namespace]).toEqual([resourceName, namespace]);
        expect(JSON.stringify(service)).toContain(`"port":${port}`);
      }
      if (variant.name === 'dev')
        expect(JSON.stringify(objects)).toContain(
          `"PUBLIC_URL":"http://127.0.0.1:${variant.portForward[0]?.localPort}"`,
        );
    },
  );

  it('is refused with a word that skaffold does not know', () => {
    const content = skaffoldContent();
    expect(() => readSkaffold({ ...content, buidl: {} })).toThrow(/buidl/);
    expect(() => readSkaffold({ ...content, apiVersion: 'skaffold/v1' })).toThrow(/apiVersion/);
  });
});
