import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { services, sideProcesses } from '../system/services.ts';

const FIRST_PORT = 9_230;
/** Services grow in number, and are counted on from there. */
const FIRST_BESIDE = 9_250;

/** The port on which a debugger finds each process; `.vscode/launch.json` has the same ones. */
export const inspectors: readonly { name: string; port: number }[] = [
  'gateway',
  ...services.map(({ name }) => name),
].map((name, index) => ({ name, port: FIRST_PORT + index }));

/** Those of further processes of a service, as `chat-files`. */
export const inspectorsBeside: readonly { name: string; port: number }[] = sideProcesses.map(({ name }, index) => ({
  name,
  port: FIRST_BESIDE + index,
}));

/** What Node is told for a process that starts again when a file is saved that it has loaded. */
export const watching = (name: string): string[] => {
  const port = [...inspectors, ...inspectorsBeside].find((one) => one.name === name)?.port ?? 0;
  return [join(CHECKOUT, 'packages/dev-server/dev/watched.ts'), `--inspect=127.0.0.1:${port}`];
};
