// Jest loads this file itself; what it imports runs on Node's own type stripping.
import { startTestServers } from '../src/start-test-servers.ts';

export default async () => {
  // Several projects of one run ask for the servers, which are started once.
  globalThis.atriumTestServers ??= startTestServers();
  await globalThis.atriumTestServers;
};
