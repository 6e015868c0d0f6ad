import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { parse } from 'yaml';
import { z } from 'zod';

/**
 * Extracts the required schemas from Kubernetes' OpenAPI documents and from the CRDs of the Gateway API and the
 * Prometheus Operator. They come from Go modules, whose content the checksum database verifies:
 *
 *     node tests/deploy/schemas/download-schemas.ts
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
const OPERATOR = 'example/prometheus-operator-crd/monitoring.coreos.com';
const DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  'sigs.k8s.io/gateway-api@v1.4.1': ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    `${OPERATOR}_podmonitors.yaml`,
    `${OPERATOR}_prometheusrules.yaml`,
  ],
};

const schema = z.record(z.string(), z.unknown());
const document = z.object({ components: z.object({ schemas: z.record(z.string(), schema) }) });
const gvk = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }));
const definition = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({
        name: z.string(),
        schema: z.object({ openAPIV3Schema: z.object({ properties: z.object({ spec: schema }) }) }),
      }),
    ),
  }),
});
const download = z.object({ Dir: z.string() });

const REF = '#/components/schemas/';
const METADATA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Lists the names of all schemas that a schema refers to. */
const refsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part.slice(REF.length)] : refsIn(part),
  );
};

/**
 * Removed fields: documentation, and CEL rules that only an API server evaluates. Properties with these names are kept.
 */
const REMOVED_KEYWORDS = ['description', 'default', 'x-kubernetes-validations'];
const removeKeywords = (value: unknown, isProperties = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => removeKeywords(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isProperties || !REMOVED_KEYWORDS.includes(key));
  return Object.fromEntries(
    entries.map(([key, part]) => [key, removeKeywords(part, key === 'properties' && !isProperties)]),
  );
};

const downloadModule = async (module: string): Promise<string> =>
  download.parse(JSON.parse(await execute('go', ['mod', 'download', '-json', module]))).Dir;

const kubernetes = await downloadModule(`k8s.io/kubernetes@${RELEASE}`);
const schemasByName = new Map<string, z.infer<typeof schema>>();
const requiredNames: string[] = [];
const kinds: Record<string, string> = {};
for (const [file, names] of Object.entries(KINDS)) {
  const path = join(kubernetes, 'api/openapi-spec/v3', `${file}_openapi.json`);
  const { components } = document.parse(JSON.parse(readFileSync(path, 'utf8')));
  for (const [name, component] of Object.entries(components.schemas)) {
    schemasByName.set(name, component);
    for (const { group, version, kind } of gvk.safeParse(component['x-kubernetes-group-version-kind']).data ?? []) {
      if (!names.includes(kind) || !file.endsWith(`__${version}`) || !file.includes(group)) continue;
      kinds[`${group === '' ? '' : `${group}/`}${version} ${kind}`] = name;
      requiredNames.push(name);
    }
  }
}
for (const [module, files] of Object.entries(DEFINITIONS)) {
  const folder = await downloadModule(module);
  for (const file of files) {
    const { group, names, versions } = definition.parse(parse(readFileSync(join(folder, file), 'utf8'))).spec;
    const version = versions.find(({ name }) => name === 'v1');
    if (!version) throw new Error(`${file} defines no v1`);
    const name = `${group}.v1.${names.kind}`;
    const commonProperties = {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: REF + METADATA },
    };
    const { spec } = version.schema.openAPIV3Schema.properties;
    schemasByName.set(name, { type: 'object', properties: { ...commonProperties, spec }, required: ['spec'] });
    kinds[`${group}/v1 ${names.kind}`] = name;
    requiredNames.push(name);
  }
}
const schemas: Record<string, unknown> = {};
for (const name of requiredNames) {
  if (name in schemas) continue;
  schemas[name] = removeKeywords(schemasByName.get(name));
  requiredNames.push(...refsIn(schemas[name]));
}
const file = join(import.meta.dirname, 'kubernetes.lock.json');
writeFileSync(file, `${JSON.stringify({ release: RELEASE, kinds, components: { schemas } })}\n`);
