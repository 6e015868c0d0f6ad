import type { ReportResult } from '../simulation/failure-collector.ts';
import type { VerificationResult } from '../simulation/verify.ts';

/** Kinds of writes. Some of each must have been acknowledged before and after the snapshot. */
const KINDS_OF_WRITE = ['task', 'comment', 'project', 'message', 'meeting', 'document'];
const NO_WRITES = { acknowledged: 0, lost: [] };

export type Writes = {
  /** Acknowledged before the snapshot. */
  before: VerificationResult;
  /** The same, plus the next acknowledged change of each item, which may have been committed before the snapshot. */
  beforeOrNext: VerificationResult;
  /** Started after the snapshot. */
  after: VerificationResult;
};

/** Asserts that writes before the snapshot exist and later ones do not. Reports kinds without writes as untested. */
export function assertWrites({ before, beforeOrNext, after }: Writes, report: ReportResult): void {
  for (const kind of kindsOf(before)) {
    const { acknowledged, lost } = before[kind] ?? NO_WRITES;
    const lostInBoth = new Set(beforeOrNext[kind]?.lost.map(pathOf));
    const confirmedLost = lost.filter((line) => lostInBoth.has(pathOf(line)));
    report(
      `${acknowledged} writes of kind ${kind} acknowledged before the snapshot exist`,
      acknowledged > 0 ? confirmedLost.slice(0, 5) : UNTESTED,
    );
  }
  for (const kind of kindsOf(after)) {
    const { acknowledged, lost } = after[kind] ?? NO_WRITES;
    const existing = acknowledged - lost.length;
    const errors = existing > 0 ? [`${existing} exist`] : [];
    report(
      `none of ${acknowledged} writes of kind ${kind} from after the snapshot exists`,
      acknowledged > 0 ? errors : UNTESTED,
    );
  }
}

const UNTESTED = ['no writes of this kind were acknowledged'];
const kindsOf = (results: VerificationResult): string[] => [...new Set([...KINDS_OF_WRITE, ...Object.keys(results)])];
const pathOf = (line: string): string => line.split(' ')[0] ?? '';
