import { startMeasured } from '../../processes.ts';
import type { LoadProcess } from './load-commands.ts';

export type BareReplay = { cores: number; loadCores: number; frames: number };

/** Measures a bare socket.io server that sends recorded frames to as many sockets. */
export async function replayBare(load: LoadProcess, recording: string): Promise<BareReplay> {
  const bare = await startMeasured({
    file: 'tests/load/baselines/socket-replay.ts',
    env: { RECORDING: recording },
    ready: (url) => url,
  });
  try {
    await load.run('openBare', { url: bare.url });
    const startedAt = performance.now();
    const [before, loadBefore] = [bare.cpuSeconds(), load.process.cpuSeconds()];
    await (await fetch(`${bare.url}/replay`)).text();
    const seconds = (performance.now() - startedAt) / 1_000;
    const cores = (bare.cpuSeconds() - before) / seconds;
    const loadCores = (load.process.cpuSeconds() - loadBefore) / seconds;
    return { cores, loadCores, ...(await load.run('closeBare', null)) };
  } finally {
    await bare.stop();
  }
}
