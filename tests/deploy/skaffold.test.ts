import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { inspectors } from '@atrium/dev-server/dev/inspectors';
import { roleProcesses } from '@atrium/dev-server/system/services';
import { describe, expect, it } from '@jest/globals';
import { exists, ROOT, read } from '../contracts/sources.ts';
import { renderFolder } from './render-overlay.ts';
import { readSkaffold, skaffoldContent } from './skaffold.ts';

const { build, manifests, deploy, portForward, profiles } = readSkaffold();
const variants = [{ name: 'dev', build, manifests, deploy, portForward }, ...profiles];
const stages = [...read('deploy/images/Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, target]) => target);
const processes = inspectors.map(({ name }) => name);
/** Some processes share an image. */
const deployments = processes.length + roleProcesses.length;

describe('skaffold.yaml', () => {
  it.each(variants)('builds every image of its manifests with an existing stage: $name', async (variant) => {
    const builtImages = variant.build.artifacts.map(({ image }) => image);
    expect([...builtImages].sort()).toEqual([...processes, 'mailbox'].map((name) => `atrium/${name}`).sort());
    const text = JSON.stringify(await Promise.all(variant.manifests.kustomize.paths.map(renderFolder)));
    const usedImages = [...text.matchAll(/"image":"(atrium\/[a-z]+)[:"]/g)].map(([, image]) => image);
    expect(
      [...new Set(usedImages)].filter((image) => image !== 'atrium/backup' && !builtImages.includes(image ?? '')),
    ).toEqual([]);
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
  });

  it('syncs every source file, and never rebuilds a service for a file of another', () => {
    const services = build.artifacts.filter((artifact) => 'docker' in artifact);
    expect(services).toHaveLength(processes.length - 1);
    const sourceFolders = ['services/*/src', 'packages/*/src', 'proto-events/src', 'gateway/src', 'web/src', 'tools'];
    const files = sourceFolders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }));
    expect(files.length).toBeGreaterThan(300);
    for (const { docker, sync } of services) {
      expect(docker.target).toBe('dev');
      const patterns = sync?.manual.map(({ src }) => src) ?? [];
      expect(files.filter((file) => !patterns.some((pattern) => matchesGlob(file, pattern)))).toEqual([]);
      expect(new Set(sync?.manual.map(({ dest }) => dest))).toEqual(new Set(['.']));
    }
  });

  it('allows file sync into services without weakening other settings of the overlay', async () => {
    const objects = await renderFolder('deploy/skaffold/dev');
    const text = JSON.stringify(objects);
    expect(text.match(/"readOnlyRootFilesystem":false/g)).toHaveLength(deployments - 1);
    expect(text).not.toContain('HorizontalPodAutoscaler');
    expect(text).not.toMatch(/"runAsNonRoot":false|"allowPrivilegeEscalation":true|"privileged":true/);
  });

  it.each(variants)('forwards the documented ports to existing Services: $name', async (variant) => {
    const objects = await renderFolder(variant.manifests.kustomize.paths[0] ?? '');
    for (const { resourceName, namespace, port } of variant.portForward) {
      const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === resourceName);
      expect([resourceName, service?.metadata.namespace]).toEqual([resourceName, namespace]);
      expect(JSON.stringify(service)).toContain(`"port":${port}`);
    }
    if (variant.name === 'dev')
      expect(JSON.stringify(objects)).toContain(`"PUBLIC_URL":"http://127.0.0.1:${variant.portForward[0]?.localPort}"`);
  });

  it.each(variants)('never deletes objects with data: $name', async (variant) => {
    const objects = (await Promise.all(variant.manifests.kustomize.paths.map(renderFolder))).flat();
    const kinds = new Set(objects.map(({ kind }) => kind));
    expect([...kinds]).toContain('Deployment');
    for (const kind of ['Namespace', 'PersistentVolumeClaim', 'Secret']) expect([...kinds]).not.toContain(kind);
    expect(JSON.stringify(objects)).not.toContain('"whenDeleted":"Delete"');
    const from = `deploy/overlays/${variant.name}`;
    expect(objects).toHaveLength((await renderFolder(from)).length - (variant.name === 'dev' ? 1 + deployments : 1));
  });

  it.each(variants)('deletes its Jobs before each deployment, because they are immutable: $name', async (variant) => {
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
    // Running backups are not deleted.
    expect(values.split(',')).not.toContain('job');
  });

  it('is rejected with an unknown field', () => {
    const content = skaffoldContent();
    expect(() => readSkaffold({ ...content, buidl: {} })).toThrow(/buidl/);
    expect(() => readSkaffold({ ...content, apiVersion: 'skaffold/v1' })).toThrow(/apiVersion/);
  });
});
