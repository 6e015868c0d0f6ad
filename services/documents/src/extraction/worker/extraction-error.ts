import type { EXIT } from '../extraction.ts';

/** Ends extraction with a reason shown to users. All other errors mean that the file is damaged. */
export class ExtractionError extends Error {
  readonly why: Exclude<keyof typeof EXIT, 'whole'>;
  constructor(why: ExtractionError['why']) {
    super(why);
    this.why = why;
  }
}
