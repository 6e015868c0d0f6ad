import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { parse } from 'yaml';
import { z } from 'zod';

const kustomization = z.object({
  patches: z.array(z.object({ target: z.object({ kind: z.string() }), patch: z.string() })),
});
const deploymentPatch = z.object({
  spec: z.looseObject({
    template: z.object({ spec: z.object({ containers: z.array(z.looseObject({ name: z.string() })) }) }),
  }),
});

/** Returns the patch that `deploy/skaffold/dev` applies to a service's Deployment, with an image built from sources. */
export function patchFromSources(image: string): z.infer<typeof deploymentPatch> {
  const file = readFileSync(join(CHECKOUT, 'deploy/skaffold/dev/kustomization.yaml'), 'utf8');
  const [patch, ...otherPatches] = kustomization
    .parse(parse(file))
    .patches.filter(({ target }) => target.kind === 'Deployment');
  if (!patch || otherPatches.length > 0)
    throw new Error('deploy/skaffold/dev must have exactly one patch for Deployments');
  const { spec } = deploymentPatch.parse(parse(patch.patch));
  const containers = spec.template.spec.containers.map((container) =>
    container.name === 'app' ? { ...container, image } : container,
  );
  return { spec: { ...spec, template: { spec: { containers } } } };
}

export type Deployment = { spec: { strategy: object; template: object } };

/** Creates a JSON patch that restores a Deployment. `rollout undo` would restore the template but not the strategy. */
export const createRestorePatch = ({ spec: { strategy, template } }: Deployment) => [
  { op: 'replace', path: '/spec/strategy', value: strategy },
  { op: 'replace', path: '/spec/template', value: template },
];
