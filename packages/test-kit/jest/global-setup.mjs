// Jest loads this file itself; its imports use Node's type stripping.
import { startTestServers } from '../src/start-test-servers.ts';

export default async () => {
  // Jest calls this for each project of a run; the projects share the servers.
  globalThis.atriumTestServers ??= startTestServers();
  await globalThis.atriumTestServers;
};
