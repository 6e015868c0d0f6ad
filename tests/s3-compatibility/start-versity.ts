import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goBuild } from '@atrium/dev-server/backing/providers/go-build';
import { onPath } from '@atrium/dev-server/backing/providers/on-path';
import type { Address, LauncherContext } from '@atrium/dev-server/backing/server';
import { objectClient, objectKeys } from '@atrium/dev-server/backing/servers/objects';
import { findTool } from '@atrium/dev-server/test-runner/external-tools';
import { freePort } from '@atrium/test-kit/free-port';
import { waitFor } from '@atrium/test-kit/wait-for';

const PROVIDERS = [
  onPath({ names: ['versitygw'] }),
  goBuild({
    server: 'versitygw',
    folder: 'versitygw',
    module: 'github.com/versity/versitygw',
    target: 'github.com/versity/versitygw/cmd/versitygw',
  }),
];

export type Store = {
  version: string;
  address: Address & { accessKey: string; secretKey: string };
  close(): Promise<void>;
};

/** Starts a Versity S3 Gateway on a folder: an S3 server that shares no code with MinIO. */
export async function startVersity(context: LauncherContext): Promise<Store> {
  const { file, version } = await findTool('versitygw', PROVIDERS, context);
  const folder = mkdtempSync(join(tmpdir(), 'atrium-versity-'));
  const { accessKey, secretKey } = objectKeys(context.secrets);
  const address = { url: `http://127.0.0.1:${await freePort()}`, accessKey, secretKey };
  const child = spawn(file, ['--quiet', '--port', new URL(address.url).host, 'posix', folder], {
    env: { ...context.env, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
    stdio: ['ignore', 'ignore', 'inherit'],
    // The reaper ends process groups.
    detached: true,
  });
  if (child.pid) context.reaper.add({ pid: child.pid, signal: 'SIGTERM', stopPhase: 0 });
  await waitFor(() => isReady(address), { description: 'the store to respond' });
  return {
    version,
    address,
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

const isReady = (address: Address): Promise<boolean> =>
  objectClient(address)
    .listBuckets()
    .then(
      () => true,
      () => false,
    );
