import type { StoredPart } from '../s3/part-store.ts';
import { createMeter, type FileProperties, type Meter } from './store-file.ts';

/** Of how many files at a time; each holds the first piece of it. */
const MAX_TRACKED_UPLOADS = 64;

/** One part while it passes. */
export type PartMeter = {
  add(chunk: Buffer): void;
  /** The store has it whole, and calls it that. */
  keep(etag: string): void;
};

/**
 * What is known of files whose parts pass through this process one after the other. Nothing hangs on it: of a file of which a part went
 * another way, the object is read.
 */
export type PartChecksums = {
  /** Undefined where not all parts before this one have passed here. */
  follow(id: string, number: number): PartMeter | undefined;
  /** What is known of a file that consists of these parts; undefined where the store has others than passed here. */
  measured(id: string, parts: readonly StoredPart[]): Promise<FileProperties> | undefined;
  forget(id: string): void;
};

type Followed = { meter: Meter; etags: string[] };

export function createPartChecksums(most = MAX_TRACKED_UPLOADS): PartChecksums {
  const files = new Map<string, Followed>();
  return {
    follow(id, number) {
      const { meter: before, etags } = files.get(id) ?? { meter: createMeter(), etags: [] };
      if (number !== etags.length + 1) return undefined;
      const meter = before.copy();
      return {
        add: meter.add,
        keep(etag) {
          const known = files.get(id)?.etags ?? [];
          // The same part may have come twice at once.
          if (etag === '' || number !== known.length + 1) return;
          files.delete(id);
          files.set(id, { meter, etags: [...known, etag] });
          const [oldest] = files.keys();
          if (files.size > most && oldest !== undefined) files.delete(oldest);
        },
      };
    },
    measured(id, parts) {
      const file = files.get(id);
      const isSame = file?.etags.length === parts.length && parts.every(({ etag }, at) => etag === file.etags[at]);
      return isSame ? file.meter.read() : undefined;
    },
    forget: (id) => void files.delete(id),
  };
}
