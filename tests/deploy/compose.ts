import { completeEnvText } from '@atrium/tools/secrets/env-file';
import { secretValues } from '@atrium/tools/secrets/values';
import { parse } from 'yaml';
import { z } from 'zod';
import { read } from '../contracts/sources.ts';

const service = z.object({
  cpu_shares: z.number().optional(),
  shm_size: z.string().optional(),
  image: z.string(),
  build: z
    .object({ target: z.string(), args: z.record(z.string(), z.string()) })
    .loose()
    .optional(),
  environment: z.record(z.string(), z.string()).default({}),
  command: z.array(z.string()).default([]),
  labels: z.record(z.string(), z.string()).default({}),
  profiles: z.array(z.string()).default([]),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  restart: z.string().optional(),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.union([z.object({ disable: z.literal(true) }), z.object({ test: z.array(z.string()) })]).optional(),
});

/** A service of `deploy/compose.yaml`, with anchors resolved. */
export type ComposeService = z.infer<typeof service>;

const file = z.object({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

/** Returns the variables that `npm run secrets -- compose` generates on a new machine. */
export const freshEnvironment = () => completeEnvText(read('deploy/.env.example'), secretValues).values;

const VARIABLE = /\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g;

/** Lists every variable that compose substitutes in a text, with its default or error message. */
export const variablesIn = (text: string) =>
  [...text.matchAll(VARIABLE)].map(([, name = '', kind, argument]) => ({ name, kind, argument: argument ?? '' }));

/** Substitutes variables as compose does: value, default, or error. */
const interpolate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(VARIABLE, (_, name: string, kind: string | undefined, argument: string | undefined) => {
    const value = values[name];
    if (value) return value;
    if (kind === '?') throw new Error(`${name} is missing: ${argument}`);
    return argument ?? '';
  });

/** Compose substitutes variables after parsing the file. */
const interpolateAll = (value: unknown, values: Readonly<Record<string, string>>): unknown => {
  if (typeof value === 'string') return interpolate(value, values);
  if (Array.isArray(value)) return value.map((item) => interpolateAll(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, interpolateAll(item, values)]));
};

/** Returns the configuration that compose reads with these variables. */
export const readCompose = (values: Readonly<Record<string, string>> = freshEnvironment()) =>
  file.parse(interpolateAll(parse(read('deploy/compose.yaml'), { merge: true }), values));
