import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Takes what we use of Kubernetes' own OpenAPI documents, from the Go module of that release, whose content the public sum database
 * vouches for:
 *
 *     node tests/deploy/schemas/take-schemas.ts
 */
const RELEASE = 'v1.34.4';
const KINDS: Readonly<Record<string, readonly string[]>> = {
  api__v1: ['Namespace', 'ConfigMap', 'Secret', 'Service', 'ServiceAccount', 'PersistentVolumeClaim'],
  apis__apps__v1: ['Deployment', 'StatefulSet'],
  apis__batch__v1: ['Job', 'CronJob'],
  apis__autoscaling__v2: ['HorizontalPodAutoscaler'],
  apis__policy__v1: ['PodDisruptionBudget'],
  'apis__networking.k8s.io__v1': ['NetworkPolicy', 'Ingress'],
};

const schema = z.record(z.string(), z.unknown());
const document = z.object({ components: z.object({ schemas: z.record(z.string(), schema) }) });
const gvk = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }));
const download = z.object({ Dir: z.string() });

const REF = '#/components/schemas/';

/** The names of all schemas that this one is made of. */
const refsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part.slice(REF.length)] : refsIn(part),
  );
};

/** Without what tells people only. A property may be called so, too. */
const bare = (value: unknown, ofProperties = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => bare(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => ofProperties || !['description', 'default'].includes(key));
  return Object.fromEntries(entries.map(([key, part]) => [key, bare(part, key === 'properties' && !ofProperties)]));
};

const json = execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${RELEASE}`], { encoding: 'utf8' });
const folder = join(download.parse(JSON.parse(json)).Dir, 'api/openapi-spec/v3');
const known = new Map<string, z.infer<typeof schema>>();
const wanted: string[] = [];
const kinds: Record<string, string> = {};
for (const [file, names] of Object.entries(KINDS)) {
  const { components } = document.parse(JSON.parse(readFileSync(join(folder, `${file}_openapi.json`), 'utf8')));
  for (const [name, one] of Object.entries(components.schemas)) {
    known.set(name, one);
    for (const { group, version, kind } of gvk.safeParse(one['x-kubernetes-group-version-kind']).data ?? []) {
      if (!names.includes(kind) || !file.endsWith(`__${version}`) || !file.includes(group)) continue;
      kinds[`${group === '' ? '' : `${group}/`}${version} ${kind}`] = name;
      wanted.push(name);
    }
  }
}
const schemas: Record<string, unknown> = {};
for (const name of wanted) {
  if (name in schemas) continue;
  schemas[name] = bare(known.get(name));
  wanted.push(...refsIn(schemas[name]));
}
const file = join(import.meta.dirname, 'kubernetes.lock.json');
writeFileSync(file, `${JSON.stringify({ release: RELEASE, kinds, components: { schemas } })}\n`);
