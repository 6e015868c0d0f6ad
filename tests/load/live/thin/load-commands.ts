import { type MeasuredProcess, startMeasured } from '../../processes.ts';
import type { DeliveryInput, DeliveryReport } from './delivery-report.ts';
import type { saveRecording } from './recording.ts';
import type { ThinGroup } from './thin-groups.ts';

export type ThinCounts = { requests: number; failures: number; lost: number; resyncs: number };

/** The commands of the process with the thin clients, and what it responds. */
export type Commands = {
  open: { input: { urls: readonly string[]; groups: readonly ThinGroup[] }; output: null };
  /** Forgets what has been received so far. */
  begin: { input: null; output: null };
  measure: { input: null; output: ThinCounts & { loopDelayMs: { p50: number; p99: number; max: number } } };
  report: {
    input: DeliveryInput & {
      /** Frames received until then are saved in this file. */
      recording: string;
      untilMs: number;
    };
    output: DeliveryReport &
      ThinCounts & {
        requestsByPath: Record<string, number>;
        /** The responses that each group with a browser shows, by key. */
        shown: Record<string, unknown>[];
        sent: ReturnType<typeof saveRecording>;
      };
  };
  close: { input: null; output: null };
  openBare: { input: { url: string }; output: null };
  closeBare: { input: null; output: { frames: number } };
};

export type LoadProcess = {
  process: MeasuredProcess;
  run<Name extends keyof Commands>(name: Name, input: Commands[Name]['input']): Promise<Commands[Name]['output']>;
};

/** Starts a process that opens thin clients. */
export async function startLoadProcess(): Promise<LoadProcess> {
  const process = await startMeasured({
    file: 'tests/load/live/thin/load-process.ts',
    env: { NODE_OPTIONS: '--max-old-space-size=8192' },
    ready: (url) => url,
  });
  return {
    process,
    async run(name, input) {
      const response = await fetch(`${process.url}/${name}`, { method: 'POST', body: JSON.stringify(input) });
      const text = await response.text();
      if (!response.ok) throw new Error(`Failed to ${name}: ${text}`);
      return JSON.parse(text);
    },
  };
}
