import type { EXIT } from '../extraction.ts';

/** Ends the reading of a file, for a reason that somebody is told of. Every other error is one of the file, too: it is damaged. */
export class ExtractionError extends Error {
  readonly why: Exclude<keyof typeof EXIT, 'whole'>;
  constructor(why: ExtractionError['why']) {
    super(why);
    this.why = why;
  }
}
