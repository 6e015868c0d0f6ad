// Jest loads this file itself; its imports use Node's type stripping.
import { startTestServers } from '../src/start-test-servers.ts';

export default async () => {
  // Several projects of one run share the servers, which are started once.
  globalThis.atriumTestServers ??= startTestServers();
  await globalThis.atriumTestServers;
};
