import { isReady } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

/** Allowed and forbidden network paths (docs/architecture.md). */
const PATHS: readonly [from: string, to: string, isAllowed: boolean][] = [
  ['gateway', 'auth:3000', true],
  ['gateway', 'chat:3000', true],
  ['gateway', 'notifications:3000', true],
  ['gateway', 'redis:6379', true],
  ['gateway', 'objects:9000', true],
  ['gateway', 'postgres:5432', false],
  ['gateway', 'nats:4222', false],
  ['gateway', 'mongo:27017', false],
  ['users', 'postgres:5432', true],
  ['users', 'nats:4222', true],
  ['users', 'auth:3000', true],
  ['users', 'redis:6379', false],
  ['users', 'mongo:27017', false],
  ['users', 'objects:9000', false],
  ['users', 'projects:3000', false],
  ['documents', 'objects:9000', true],
  ['documents', 'redis:6379', false],
  ['documents', 'mailbox:1025', false],
  ['chat', 'redis:6379', true],
  ['chat', 'projects:3000', false],
  ['notifications', 'mongo:27017', true],
  ['notifications', 'mailbox:1025', true],
  ['notifications', 'postgres:5432', false],
  ['auth', 'gateway:80', false],
  ['projects', 'nats:8222', false],
];

/** A blocked connection times out, and an open one on a busy machine may take a second. */
const TIMEOUT_MS = 5_000;
/** A script that checks from within a pod whether a connection succeeds. */
const CONNECT = `const [host, port] = process.argv[1].split(':');
const socket = require('node:net').connect({ host, port: Number(port), timeout: ${TIMEOUT_MS} });
const end = (word) => { console.log(word); process.exit(0); };
socket.once('connect', () => end('open')).once('timeout', () => end('closed')).once('error', () => end('closed'));`;

/** Probes each path from within a pod. */
export async function probeNetworkPaths({ kubectl, report }: StepContext): Promise<void> {
  for (const [from, to, isAllowed] of PATHS) {
    const pod = (await kubectl.pods(from)).find(isReady);
    if (!pod) throw new Error(`${from} has no ready pod`);
    const actual = (await kubectl.run('exec', pod.metadata.name, '--', 'node', '-e', CONNECT, to)).trim();
    const expected = isAllowed ? 'open' : 'closed';
    report(`${from} to ${to} is ${expected}`, actual === expected ? [] : [`it is ${actual}`]);
  }
}
