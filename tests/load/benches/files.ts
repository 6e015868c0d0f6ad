import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createS3Client } from '@atrium/object-store/s3/s3-client';
import { freePort } from '@atrium/test-kit/free-port';
import { type Figure, median, recordTime, type TimesByName } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { findListeningProcess, type MeasuredProcess } from '../processes.ts';

const MIB = 1024 * 1024;
const FILE_BYTES = 512 * MIB;
const ROUNDS = 3;
const SAMPLE_INTERVAL_MS = 20;
const LINK_SECONDS = 3_600;

type TransferMode = 'put' | 'form' | 'parts' | 'get';
type Transfer = { mode: TransferMode; url: string; token?: string };

/**
 * Measures upload and download rates through the gateway against direct access to the store, alternating in one run,
 * and the memory that transfers take.
 */
export async function benchFiles(environment: LoadEnvironment): Promise<Figure[]> {
  const port = await freePort();
  const gateway = await environment.startGateway({ DOCUMENTS_URL: `http://127.0.0.1:${port}` });
  // No quota, because every round uploads a new file.
  const env = { S3_PUBLIC_URL: gateway.url, USER_STORAGE_QUOTA_BYTES: '0' };
  const documents = await environment.startService('documents', 'documents', { port, env });
  try {
    const token = await environment.tokenOf(0);
    const direct = await createDirectLinks(environment);
    const upload = (mode: 'form' | 'parts', bytes?: number) => move({ mode, url: gateway.url, token }, bytes);
    // Warm-up, so that memory figures exclude what is loaded with the first file.
    await upload('form', MIB);
    await upload('parts', 9 * MIB);
    const link = await getLatestLink(gateway.url, token);
    await move({ mode: 'get', url: link }, 9 * MIB);

    const store = findListeningProcess(environment.storeEnv.S3_ENDPOINT);
    const seconds: TimesByName = {};
    const cpuByTransfer: Record<string, TimesByName> = {};
    const processes = { gateway, documents, store };
    const run = async (label: string, transfer: Transfer) => {
      const cpu = () =>
        Object.fromEntries(Object.entries(processes).map(([name, process]) => [name, process.cpuSeconds()]));
      const before = cpu();
      const result = await move(transfer);
      recordTime(seconds, label, result.seconds);
      const cpuTimes = cpuByTransfer[label] ?? {};
      cpuByTransfer[label] = cpuTimes;
      recordTime(cpuTimes, 'client', result.cpu);
      for (const [name, now] of Object.entries(cpu())) recordTime(cpuTimes, name, now - (before[name] ?? 0));
    };
    const memoryGrowth: Record<string, number> = {};
    const watch = watchMemory(processes);
    for (let round = 0; round < ROUNDS; round += 1) {
      const uploads: [string, Transfer][] = [
        ['direct upload', { mode: 'put', url: direct.put }],
        ['form', { mode: 'form', url: gateway.url, token }],
        ['parts', { mode: 'parts', url: gateway.url, token }],
      ];
      for (const [label, transfer] of uploads) {
        watch.begin();
        await run(label, transfer);
        for (const [name, mb] of Object.entries(watch.end())) {
          const key = `${name}, ${TRANSFER_LABELS[label]}`;
          memoryGrowth[key] = Math.max(memoryGrowth[key] ?? 0, mb);
        }
      }
      const viaGateway = await getLatestLink(gateway.url, token);
      await run('direct download', { mode: 'get', url: direct.get });
      await run('down', { mode: 'get', url: viaGateway });
    }
    const rate = (label: string) => FILE_BYTES / MIB / median(seconds[label] ?? []);
    const ratio = (name: string, label: string, reference: string, limit: number | null): Figure => ({
      name,
      value: rate(label) / rate(reference),
      unit: '×',
      limit,
      sense: 'at least',
      detail: `${rate(label).toFixed(0)} MB/s against ${rate(reference).toFixed(0)} MB/s; ${formatSeconds(seconds[label])} s against ${formatSeconds(seconds[reference])} s`,
    });
    return [
      ratio('upload in one request through the gateway, against directly to the store', 'form', 'direct upload', 0.6),
      ratio(
        'upload in parts through the gateway, including its completion, against the same',
        'parts',
        'direct upload',
        0.6,
      ),
      ratio('download through the gateway, against directly from the store', 'down', 'direct download', 0.85),
      ...Object.entries(cpuByTransfer).map(
        ([label, timesByProcess]): Figure => ({
          name: `CPU time of all processes for 512 MiB ${TRANSFER_LABELS[label]}`,
          value: Object.values(timesByProcess).reduce((sum, times) => sum + median(times), 0),
          unit: ' s',
          limit: null,
          sense: 'at most',
          detail: Object.entries(timesByProcess)
            .map(([name, times]) => `${name} ${median(times).toFixed(2)}`)
            .join(', '),
        }),
      ),
      ...Object.entries(memoryGrowth).map(
        ([name, value]): Figure => ({
          name: `memory that an upload of 512 MiB adds to ${name}`,
          value,
          unit: ' MB',
          limit: 64,
          sense: 'at most',
          detail: `maximum of ${ROUNDS}`,
        }),
      ),
    ];
  } finally {
    await Promise.all([gateway.stop(), documents.stop()]);
  }
}

const TRANSFER_LABELS: Record<string, string> = {
  'direct upload': 'uploaded directly',
  form: 'uploaded in one request',
  parts: 'uploaded in parts',
  'direct download': 'downloaded directly',
  down: 'downloaded through the gateway',
};

const formatSeconds = (values: readonly number[] = []) => values.map((seconds) => seconds.toFixed(1)).join(', ');

/** Creates presigned links of the store to one object. */
async function createDirectLinks({ storeEnv }: LoadEnvironment) {
  const client = createS3Client(storeEnv, 10_000);
  const bucket = storeEnv.S3_BUCKET;
  const key = 'straight/big.bin';
  return {
    put: await client.presignedPutObject(bucket, key, LINK_SECONDS),
    get: await client.presignedGetObject(bucket, key, LINK_SECONDS),
  };
}

async function getLatestLink(url: string, token: string): Promise<string> {
  const getJson = async <T>(path: string) => {
    const response = await fetch(`${url}/api/documents${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return (await response.json()) as T;
  };
  const { data } = await getJson<{ data: { _id: string }[] }>('?limit=1');
  return (await getJson<{ downloadUrl: string }>(`/${data[0]?._id}`)).downloadUrl;
}

/** Returns the elapsed seconds, and the CPU seconds of the process that moved the file. */
async function move(transfer: Transfer, bytes = FILE_BYTES): Promise<{ seconds: number; cpu: number }> {
  const child = spawn(process.execPath, ['tests/load/baselines/move-file.ts', JSON.stringify({ ...transfer, bytes })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${transfer.mode} exited with ${code}`);
  return JSON.parse(printed) as { seconds: number; cpu: number };
}

/** Measures the maximum memory growth of each process in MB between the calls of `begin` and `end`. */
function watchMemory(processes: Record<string, Pick<MeasuredProcess, 'residentMb'>>) {
  const entries = Object.entries(processes);
  const now = () => Object.fromEntries(entries.map(([name, process]) => [name, process.residentMb()]));
  let before: Record<string, number> = {};
  let maxima: Record<string, number> = {};
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    for (const [name, mb] of Object.entries(now())) maxima[name] = Math.max(maxima[name] ?? 0, mb);
  };
  return {
    begin() {
      before = now();
      maxima = { ...before };
      timer = setInterval(sample, SAMPLE_INTERVAL_MS);
    },
    end() {
      clearInterval(timer);
      sample();
      return Object.fromEntries(entries.map(([name]) => [name, (maxima[name] ?? 0) - (before[name] ?? 0)]));
    },
  };
}
