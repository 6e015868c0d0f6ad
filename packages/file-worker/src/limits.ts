/** What reading one file may cost. */
export type WorkerLimits = {
  /** The resident memory of the worker, Node's own 60 MB among it. */
  memoryBytes: number;
  /** How long the worker may run, and how long the source may take to bring the file: a file takes twice that at most. */
  timeMs: number;
  /** The largest file that is looked at. So much of it may lie in the folder for passing files, for each that is read at once. */
  fileBytes: number;
};
