/** Limits for reading one file. */
export type WorkerLimits = {
  /** Resident memory of the worker, including 60 MB of Node itself. */
  memoryBytes: number;
  /** Maximum run time of the worker, and of receiving the source: together at most twice that. */
  timeMs: number;
  /** Maximum size of a file. The temporary folder needs this much space for each concurrent worker. */
  fileBytes: number;
};
