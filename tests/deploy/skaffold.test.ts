import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { inspectors } from '@atrium/dev-server/dev/inspectors';
import { sideProcesses } from '@atrium/dev-server/system/services';
import { describe, expect, it } from '@jest/globals';
import { exists, ROOT, read } from '../contracts/sources.ts';
import { renderFolder } from './render-overlay.ts';
import { readSkaffold, skaffoldContent } from './skaffold.ts';

const { build, manifests, deploy, portForward, profiles } = readSkaffold();
const variants = [{ name: 'dev', build, manifests, deploy, portForward }, ...profiles];
const stages = [...read('deploy/images/Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage);
const processes = inspectors.map(({ name }) => name);
/** Some processes are of the image of another. */
const deployments = processes.length + sideProcesses.length;

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
    const objects = await renderFolder('deploy/skaffold/dev');
    const text = JSON.stringify(objects);
    expect(text.match(/"readOnlyRootFilesystem":false/g)).toHaveLength(deployments - 1);
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

  it.each(variants)('takes with it at its end nothing that holds data: $name', async (variant) => {
    const objects = (await Promise.all(variant.manifests.kustomize.paths.map(renderFolder))).flat();
    const kinds = new Set(objects.map(({ kind }) => kind));
    expect([...kinds]).toContain('Deployment');
    for (const kind of ['Namespace', 'PersistentVolumeClaim', 'Secret']) expect([...kinds]).not.toContain(kind);
    expect(JSON.stringify(objects)).not.toContain('"whenDeleted":"Delete"');
    const from = `deploy/overlays/${variant.name}`;
    expect(objects).toHaveLength((await renderFolder(from)).length - (variant.name === 'dev' ? 1 + deployments : 1));
  });

  it.each(variants)(
    'deletes before each deployment the Jobs that it renders, which cannot be changed: $name',
    async (variant) => {
      const objects = (await Promise.all(variant.manifests.kustomize.paths.map(renderFolder))).flat();
      const [{ host } = { host: { command: [] } }] = variant.deploy.kubectl.hooks.before;
      const [, , line = ''] = host.command;
      const [, namespace, key = '', values = ''] = /-n (\S+) delete job -l "(\S+) in \((.*)\)"$/.exec(line) ?? [];
      const jobs = objects.filter(({ kind }) => kind === 'Job');
      expect(jobs.length).toBeGreaterThan(0);
      for (const { metadata } of jobs)
        expect([metadata.name, metadata.namespace, values.split(',').includes(metadata.labels[key] ?? '')]).toEqual([
          metadata.name,
          namespace,
          true,
        ]);
      // A backup that runs is none of them.
      expect(values.split(',')).not.toContain('job');
    },
  );

  it('is refused with a word that skaffold does not know', () => {
    const content = skaffoldContent();
    expect(() => readSkaffold({ ...content, buidl: {} })).toThrow(/buidl/);
    expect(() => readSkaffold({ ...content, apiVersion: 'skaffold/v1' })).toThrow(/apiVersion/);
  });
});
