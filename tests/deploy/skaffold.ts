import { parse } from 'yaml';
import { z } from 'zod';
import { read } from '../contracts/sources.ts';

const docker = z.strictObject({
  dockerfile: z.string(),
  target: z.string(),
  buildArgs: z.record(z.string(), z.string()),
});
const custom = z.strictObject({
  buildCommand: z.string(),
  dependencies: z.strictObject({ paths: z.array(z.string()) }),
});
const sync = z.strictObject({
  manual: z.array(z.strictObject({ src: z.string(), dest: z.string(), strip: z.string().optional() })),
});
const base = { image: z.string(), context: z.literal('.') };
const artifact = z.union([
  z.strictObject({ ...base, docker, sync: sync.optional() }),
  z.strictObject({ ...base, custom }),
]);
const build = z.strictObject({ artifacts: z.array(artifact) });
const manifests = z.strictObject({ kustomize: z.strictObject({ paths: z.array(z.string()) }) });
const hook = z.strictObject({ host: z.strictObject({ command: z.array(z.string()) }) });
const deploy = z.strictObject({ kubectl: z.strictObject({ hooks: z.strictObject({ before: z.array(hook) }) }) });
const forward = z.strictObject({
  resourceType: z.literal('service'),
  resourceName: z.string(),
  namespace: z.string(),
  port: z.number().int(),
  localPort: z.number().int(),
});

/**
 * The part of skaffold's schema that this repository uses. `schemas/check-skaffold.ts` validates against the full
 * schema.
 */
const config = z.strictObject({
  apiVersion: z.literal('skaffold/v4beta11'),
  kind: z.literal('Config'),
  metadata: z.strictObject({ name: z.string() }),
  build,
  manifests,
  deploy,
  portForward: z.array(forward),
  profiles: z.array(z.strictObject({ name: z.string(), build, manifests, deploy, portForward: z.array(forward) })),
});

/** `skaffold.yaml` as skaffold reads it: keys that start with a dot only hold anchors. */
export const skaffoldContent = (): Record<string, unknown> => {
  const content = z.record(z.string(), z.unknown()).parse(parse(read('skaffold.yaml'), { merge: true }));
  return Object.fromEntries(Object.entries(content).filter(([key]) => !key.startsWith('.')));
};

export const readSkaffold = (content: unknown = skaffoldContent()) => config.parse(content);
