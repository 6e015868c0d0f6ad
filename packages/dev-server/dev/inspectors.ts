import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { roleProcesses, services } from '../system/services.ts';

const FIRST_PORT = 9_230;
/** Processes that run a service in another role have their own range, because the number of services grows. */
const FIRST_ROLE_PORT = 9_250;

export const inspectors: readonly { name: string; port: number }[] = [
  'gateway',
  ...services.map(({ name }) => name),
].map((name, index) => ({ name, port: FIRST_PORT + index }));

export const roleInspectors: readonly { name: string; port: number }[] = roleProcesses.map(({ name }, index) => ({
  name,
  port: FIRST_ROLE_PORT + index,
}));

export const watchArgs = (name: string): string[] => {
  const port = [...inspectors, ...roleInspectors].find((inspector) => inspector.name === name)?.port ?? 0;
  return [join(CHECKOUT, 'packages/dev-server/dev/watched.ts'), `--inspect=127.0.0.1:${port}`];
};
