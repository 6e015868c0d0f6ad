import { z } from 'zod';

const configModule = z.object({
  readConfig: z.custom<(source: NodeJS.ProcessEnv) => unknown>((value) => typeof value === 'function'),
});

/** Imports the function that a service or the gateway uses to read its environment. */
export async function configReader(name: string): Promise<(source: NodeJS.ProcessEnv) => unknown> {
  const folder = name === 'gateway' ? name : `services/${name}`;
  return configModule.parse(await import(`../../${folder}/src/config.ts`)).readConfig;
}
